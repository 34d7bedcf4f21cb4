//! The messages about the git repository around the workspace.
messages! {
    not_started(error) { "git cannot be started: {error}", "не удаётся запустить git: {error}" }
    no_repository(folder) {
        "{folder} is not in a git repository",
        "{folder} не находится в репозитории git",
    }
    no_commit(name) { "there is no commit `{name}` in this clone", "в этом клоне нет коммита `{name}`" }
    no_main_branch(tried) {
        "this clone has no main branch; the names {tried} were tried: name the branch, or a commit",
        "в этом клоне нет основной ветки; проверены имена {tried}: укажите ветку или коммит",
    }
    shallow() {
        "the clone is shallow, so its history is incomplete: run `git fetch --unshallow`",
        "клон неглубокий, его история неполна: выполните `git fetch --unshallow`",
    }
    shallow_without(tried) {
        "this clone has none of {tried}, since `git clone --depth` gets one branch without its history: run `git fetch --unshallow origin \"+refs/heads/*:refs/remotes/origin/*\"`",
        "в этом клоне нет ни одного из имён {tried}: `git clone --depth` получает одну ветку без истории; выполните `git fetch --unshallow origin \"+refs/heads/*:refs/remotes/origin/*\"`",
    }
    failed(command, message) { "`{command}` failed: {message}", "команда `{command}` завершилась ошибкой: {message}" }
    unreadable(command) {
        "`{command}` printed something else than was asked for; `git fsck` finds missing objects",
        "команда `{command}` вывела не то, что запрошено; `git fsck` находит недостающие объекты",
    }
    file(file, error) { "cannot read {file}: {error}", "не удаётся прочитать {file}: {error}" }
}
