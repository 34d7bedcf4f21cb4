//! What the compiler makes of sources that tests write: tasks, misuses, solutions; how large programs are; and the laws of assignments,
//! which restrict the files of their process.

mod assignment_laws;
mod compile_fail;
mod demo_solutions;
mod new_tasks;
mod run_rules;
mod sizes;
