//! What is set: task.yaml and course.yaml in strict types.
