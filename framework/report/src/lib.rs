//! How it is told: tables, charts and pages, records in, text out.
