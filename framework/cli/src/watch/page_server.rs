//! Serves the page of `cargo wb watch --page` to the user of this machine.
//!
//! It listens on the loopback device only. Who does not know the token of the address is refused, and a request that names another host: a
//! page of another site, whose name was made to lead here, cannot read anything.

use std::{
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use tiny_http::{Header, Method, Request, Response, Server};
use wb_messages::Lang;

use super::page::{self, PageState};
use crate::top;

/// The page loads nothing from elsewhere, and nothing else shows it in a frame or learns its address.
const HEADERS: [&str; 5] = [
    "Content-Type: text/html; charset=utf-8",
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
     img-src data: blob:; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
];

/// What is served.
pub(super) struct PageServer {
    pub(super) state: Arc<Mutex<PageState>>,
    /// The folder of `trace.html`, which `cargo wb trace` writes.
    pub(super) root: PathBuf,
    /// The target folder with the running jobs.
    pub(super) target: PathBuf,
    pub(super) lang: Lang,
}

impl PageServer {
    /// Starts the server on a free port; the address with its token.
    pub(super) fn start(self) -> io::Result<String> {
        let server = Server::http("127.0.0.1:0").map_err(io::Error::other)?;
        let random = || getrandom::u64().map_err(io::Error::other);
        let token = format!("{:016x}{:016x}", random()?, random()?);
        let host = server.server_addr().to_string();
        let address = format!("http://{host}/{token}/");
        thread::spawn(move || {
            for request in server.incoming_requests() {
                let (code, page) = self.answer(&request, &host, &token);
                let mut response = Response::from_data(page).with_status_code(code);
                HEADERS
                    .iter()
                    .for_each(|header| response.add_header(header.parse::<Header>().expect("a header")));
                // The reader may be gone.
                let _gone = request.respond(response);
            }
        });
        Ok(address)
    }

    /// The status and the page that answer a request.
    fn answer(&self, request: &Request, host: &str, token: &str) -> (u16, Vec<u8>) {
        let named = request.headers().iter().find(|header| header.field.equiv("Host"));
        let path = request.url().strip_prefix('/').and_then(|path| path.strip_prefix(token));
        let trace = self.root.join("trace.html");
        match path.filter(|_| named.is_some_and(|header| header.value.as_str() == host)) {
            None => (403, vec![]),
            _ if *request.method() != Method::Get => (405, vec![]),
            Some("/") => {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let jobs = top::tables(&self.target, self.lang);
                (200, page::page(&state, &jobs, trace.is_file(), self.lang).into_bytes())
            }
            Some("/trace.html") => fs::read(trace).map_or((404, vec![]), |page| (200, page)),
            Some(_) => (404, vec![]),
        }
    }
}
