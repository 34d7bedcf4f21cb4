//! The sections of a report.

/// The sections of a report that a student writes.
pub(crate) const SECTIONS: [(&str, &str); 6] = [
    ("Introduction", "Введение"),
    ("Problem statement", "Постановка задачи"),
    ("Baseline algorithm", "Базовый алгоритм"),
    ("Parallelization scheme", "Схема распараллеливания"),
    ("Implementation details", "Детали реализации"),
    ("Conclusions", "Заключение"),
];
