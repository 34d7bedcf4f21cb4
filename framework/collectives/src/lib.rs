//! The programs: collective algorithms written once over the languages of comm.
