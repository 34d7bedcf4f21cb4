//! The author and the title of a task, as recorded.
use wb_comm::Text;
use wb_config::TaskSettings;
use wb_record::Subject;

/// The author and the title of a task, as recorded.
pub fn subject(name: &str, task: &TaskSettings) -> Subject {
    Subject {
        task: name.to_owned(),
        title: title(name, &task.title),
        student: task.student.clone(),
        group: task.group.clone(),
        task_number: u32::from(task.task_number),
        variant: u32::from(task.variant),
    }
}

/// A title that is given in only one language is used for both.
fn title(name: &str, wb_config::TitleSettings { en, ru }: &wb_config::TitleSettings) -> Text<String> {
    let either = en.as_deref().or(ru.as_deref()).unwrap_or(name);
    let text = |own: &Option<String>| own.as_deref().unwrap_or(either).to_owned();
    Text { en: text(en), ru: text(ru) }
}
