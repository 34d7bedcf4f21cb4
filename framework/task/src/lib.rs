//! What is asked: problems, tasks and the pipeline of four stages.
