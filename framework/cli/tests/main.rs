//! The commands, run as a user does.

mod bad_records;
mod barriers;
mod broadcasts;
mod changed;
mod collectives;
mod command;
mod commas;
mod course;
mod enrolment;
mod file_times;
mod grade;
mod help;
mod json;
mod json_schema;
mod merging;
mod output;
#[cfg(target_os = "linux")]
mod pseudo_terminal;
mod pull_request;
mod reports;
mod run_wb;
mod settings_in_russian;
mod similar;
mod style;
#[cfg(target_os = "linux")]
mod top;
#[cfg(target_os = "linux")]
mod watch;
mod workspace;
