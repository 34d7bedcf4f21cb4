//! The assignments of the processes semester: the title of every variant of the tasks 1, 2 and 3.

use crate::Lang;

/// The title of a variant, counted from 1; `None` when the task has no such variant.
pub fn title(lang: Lang, task: u8, variant: u8) -> Option<&'static str> {
    let variants = titles(task)?;
    let (en, ru) = variants.get(usize::from(variant).checked_sub(1)?)?;
    Some(match lang {
        Lang::En => en,
        Lang::Ru => ru,
    })
}

/// The number of variants of a task; 0 when there is no such task.
pub fn variants(task: u8) -> usize {
    titles(task).map_or(0, <[_]>::len)
}

fn titles(task: u8) -> Option<&'static [(&'static str, &'static str)]> {
    match task {
        1 => Some(&TASK_1),
        2 => Some(&TASK_2),
        3 => Some(&TASK_3),
        _ => None,
    }
}

const TASK_1: [(&str, &str); 27] = [
    ("Sum of vector elements", "Сумма элементов вектора"),
    ("Average of vector elements", "Среднее элементов вектора"),
    ("Maximum of a vector", "Максимум вектора"),
    ("Minimum of a vector", "Минимум вектора"),
    ("Number of sign alternations between adjacent elements", "Число чередований знаков соседних элементов"),
    (
        "Number of order violations between adjacent elements",
        "Число нарушений упорядоченности соседних элементов",
    ),
    ("Most similar adjacent elements", "Наиболее близкие соседние элементы"),
    ("Most different adjacent elements", "Наиболее различные соседние элементы"),
    ("Dot product", "Скалярное произведение"),
    ("Sum of matrix elements", "Сумма элементов матрицы"),
    ("Row sums of a matrix", "Суммы по строкам матрицы"),
    ("Column sums of a matrix", "Суммы по столбцам матрицы"),
    ("Maximum of a matrix", "Максимум матрицы"),
    ("Minimum of a matrix", "Минимум матрицы"),
    ("Row maxima of a matrix", "Максимумы по строкам матрицы"),
    ("Column maxima of a matrix", "Максимумы по столбцам матрицы"),
    ("Row minima of a matrix", "Минимумы по строкам матрицы"),
    ("Column minima of a matrix", "Минимумы по столбцам матрицы"),
    ("Integration: rectangles", "Интегрирование: метод прямоугольников"),
    ("Integration: trapezoids", "Интегрирование: метод трапеций"),
    ("Integration: Monte Carlo", "Интегрирование: метод Монте-Карло"),
    ("Count of alphabetic characters in a string", "Число буквенных символов в строке"),
    ("Frequency of a character in a string", "Частота символа в строке"),
    ("Count of words in a string", "Число слов в строке"),
    ("Count of sentences in a string", "Число предложений в строке"),
    ("Lexicographic order of two strings", "Лексикографический порядок двух строк"),
    ("Number of differing characters of two strings", "Число несовпадающих символов двух строк"),
];

const TASK_2: [(&str, &str); 23] = [
    ("Broadcast (one to all)", "Передача от одного всем (broadcast)"),
    ("Reduce (all to one)", "Передача от всех одному (reduce)"),
    ("Allreduce (all to one and broadcast)", "Передача от всех одному и рассылка (allreduce)"),
    ("Scatter", "Обобщённая передача от одного всем (scatter)"),
    ("Gather", "Обобщённая передача от всех одному (gather)"),
    ("Line", "Линейка"),
    ("Ring", "Кольцо"),
    ("Star", "Звезда"),
    ("Torus grid", "Решётка-тор"),
    ("Hypercube", "Гиперкуб"),
    ("Matrix-vector product, horizontal strips", "Умножение матрицы на вектор, горизонтальные полосы"),
    ("Matrix-vector product, vertical strips", "Умножение матрицы на вектор, вертикальные полосы"),
    (
        "Matrix product, horizontal strips of A only",
        "Умножение матриц, горизонтальные полосы только матрицы A",
    ),
    (
        "Matrix product, A in horizontal and B in vertical strips",
        "Умножение матриц, A по горизонтальным и B по вертикальным полосам",
    ),
    ("Gauss elimination, horizontal strips", "Метод Гаусса, горизонтальные полосы"),
    ("Gauss elimination, vertical strips", "Метод Гаусса, вертикальные полосы"),
    ("Gauss-Jordan elimination", "Метод Гаусса-Жордана"),
    ("Jacobi method", "Метод Якоби"),
    ("Gauss-Seidel method", "Метод Гаусса-Зейделя"),
    ("Simple iteration", "Метод простой итерации"),
    ("Bubble sort (odd-even transposition)", "Пузырьковая сортировка (чётно-нечётная перестановка)"),
    ("Image smoothing", "Сглаживание изображения"),
    ("Contrast enhancement", "Повышение контраста изображения"),
];

const TASK_3: [(&str, &str); 32] = [
    ("Dense matrix product, blocks, Cannon", "Умножение плотных матриц, блочная схема, алгоритм Кэннона"),
    ("Dense matrix product, blocks, Fox", "Умножение плотных матриц, блочная схема, алгоритм Фокса"),
    ("Dense matrix product, Strassen", "Умножение плотных матриц, алгоритм Штрассена"),
    ("Sparse matrix product, CRS", "Умножение разреженных матриц, CRS"),
    ("Sparse matrix product, CCS", "Умножение разреженных матриц, CCS"),
    ("Conjugate gradients", "Метод сопряжённых градиентов"),
    ("Multi-dimensional integrals, rectangles", "Многомерные интегралы, метод прямоугольников"),
    ("Multi-dimensional integrals, trapezoids", "Многомерные интегралы, метод трапеций"),
    ("Multi-dimensional integrals, Simpson", "Многомерные интегралы, метод Симпсона"),
    ("Multi-dimensional integrals, Monte Carlo", "Многомерные интегралы, метод Монте-Карло"),
    (
        "Global search (Strongin) in one dimension, by characteristics",
        "Глобальный поиск (Стронгина), одномерный, по характеристикам",
    ),
    (
        "Multistep global optimisation in two dimensions, by splitting the domain",
        "Многошаговая глобальная оптимизация, двумерная, разбиением области",
    ),
    (
        "Multistep global optimisation in two dimensions, by characteristics",
        "Многошаговая глобальная оптимизация, двумерная, по характеристикам",
    ),
    ("Quicksort with simple merge", "Быстрая сортировка с простым слиянием"),
    ("Quicksort with Batcher's odd-even merge", "Быстрая сортировка с чётно-нечётным слиянием Бэтчера"),
    ("Shell sort with simple merge", "Сортировка Шелла с простым слиянием"),
    ("Shell sort with Batcher's odd-even merge", "Сортировка Шелла с чётно-нечётным слиянием Бэтчера"),
    ("Radix sort of integers with simple merge", "Поразрядная сортировка целых с простым слиянием"),
    ("Radix sort of integers with Batcher's merge", "Поразрядная сортировка целых со слиянием Бэтчера"),
    ("Radix sort of doubles with simple merge", "Поразрядная сортировка вещественных с простым слиянием"),
    ("Radix sort of doubles with Batcher's merge", "Поразрядная сортировка вещественных со слиянием Бэтчера"),
    ("Shortest paths, Dijkstra (CRS graphs)", "Кратчайшие пути, алгоритм Дейкстры (графы в CRS)"),
    ("Shortest paths, Bellman-Ford (CRS graphs)", "Кратчайшие пути, алгоритм Беллмана-Форда (графы в CRS)"),
    ("Convex hull, Graham", "Выпуклая оболочка, проход Грэхема"),
    ("Convex hull, Jarvis", "Выпуклая оболочка, проход Джарвиса"),
    ("Gauss filter 3x3, horizontal split", "Фильтр Гаусса 3x3, горизонтальное разбиение"),
    ("Gauss filter 3x3, vertical split", "Фильтр Гаусса 3x3, вертикальное разбиение"),
    ("Gauss filter 3x3, block split", "Фильтр Гаусса 3x3, блочное разбиение"),
    ("Sobel operator", "Оператор Собеля"),
    ("Contrast by linear histogram stretch", "Контраст линейной растяжкой гистограммы"),
    ("Component labelling of a binary image", "Маркировка компонент бинарного изображения"),
    ("Convex hulls of the components of a binary image", "Выпуклые оболочки компонент бинарного изображения"),
];
