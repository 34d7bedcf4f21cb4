//! The page of the variants of a course: one table, in one file, without any request.

use maud::html;
use wb_messages::{Lang, enrolment as text};

use crate::standalone_page::standalone_page;

/// The variants of all students.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantsPage {
    /// The title of the course.
    pub course: String,
    /// The titles of the assignments 1, 2 and 3.
    pub titles: [String; 3],
    /// The students, in the order of the page.
    pub rows: Vec<VariantsRow>,
}

/// The variants of one student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantsRow {
    /// The group.
    pub group: String,
    /// The name.
    pub name: String,
    /// The login.
    pub login: String,
    /// Number and title of the variant of each assignment; `None` while there is none.
    pub variants: [Option<(u8, String)>; 3],
}

impl VariantsPage {
    /// The page in one language.
    pub fn to_html(&self, lang: Lang) -> String {
        let heading = text::variants_title(lang, &self.course);
        let body = html! {
            main {
                h1 { (heading) }
                table {
                    thead {
                        tr {
                            th { (text::column_group(lang)) }
                            th { (text::column_student(lang)) }
                            @for (number, title) in (1..).zip(&self.titles) {
                                th { (text::column_assignment(lang, number)) br; (title) }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                td { (row.group) }
                                td { (row.name) br; code { (row.login) } }
                                @for variant in &row.variants {
                                    td { @if let Some((number, title)) = variant { (number) ". " (title) } }
                                }
                            }
                        }
                    }
                }
            }
        };
        standalone_page(lang, &heading, "", &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> String {
        let row = VariantsRow {
            group: "G".into(),
            name: name.into(),
            login: "ivanov_i".into(),
            variants: [Some((3, "Maximum".into())), None, Some((32, "Hulls".into()))],
        };
        let titles = ["One", "Two", "Three"].map(str::to_owned);
        VariantsPage { course: "Course".into(), titles, rows: vec![row] }.to_html(Lang::Ru)
    }

    #[test]
    fn the_page_has_every_variant_and_asks_for_nothing() {
        let html = page("Иванов И.");
        for part in
            ["<html lang=\"ru\">", "Варианты: Course", "Иванов И.", "3. Maximum", "32. Hulls", "<td></td>"]
        {
            assert!(html.contains(part), "{part}\n{html}");
        }
        for request in ["http:", "https:", "src=", "href=", "@import", "url("] {
            assert!(!html.contains(request), "{request}");
        }
    }

    #[test]
    fn a_hostile_name_is_text() {
        let html = page("<script>alert(1)</script>");
        assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"));
    }
}
