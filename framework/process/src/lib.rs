//! What a process of ours does around main: early redirection, jobs with deadlines, exits.
