"""The documents stay true: their commands and programs run, and the files and modules that they name exist."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from ochibot.console import Console, find_core, find_cores, load_nes_rom
from ochibot.data import data_path
from ochibot.games import find_game

from tests.cli.test_record import Run
from tests.commands import ochibot

REPOSITORY = Path(__file__).resolve().parent.parent
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def page(name: str) -> str:
    return (REPOSITORY / f"docs/{name}.md").read_text(encoding="utf-8")


PROGRAMS = page("programs")
PAGES = {
    name: page(name)
    for name in (
        *("programs", "playing", "battles", "famicom", "megadrive", "neogeo", "how-it-decides", "records", "pairs"),
        *("nyaa", "web", "performance", "coach", "review", "data", "environments", "agent"),
    )
}
"""The pages of which each block of commands is run here. Of the lab's page, only the first one is quick enough; of the
page on strength, the first three."""


def blocks(kind: str, text: str = README) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def commands(block: str) -> list[str]:
    return [line.split("#")[0].strip() for line in block.splitlines() if line.strip()]


SHOWN = [
    *blocks("sh"),
    *(block for text in PAGES.values() for block in blocks("sh", text)),
    blocks("sh", page("lab"))[0],
    *blocks("sh", page("strength"))[:3],
]
COMMANDS = [command for block in SHOWN for command in commands(block)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a user's: the homebrew ROM, named as the original game, a savestate, and the map and the player
    ``mine.py`` that pages show.
    """
    folder = tmp_path_factory.mktemp("desk")
    (folder / "roms").mkdir()
    shutil.copytree(REPOSITORY / "examples/learning", folder / "examples/learning")
    home = data_path("roms/homebrew/famicom/ochidama.nes")
    shutil.copy(home, folder / "roms/Puyo Puyo (Japan).nes")
    with zipfile.ZipFile(folder / "roms/Puyo Puyo (Japan).zip", "w") as archive:
        archive.write(home, "Puyo Puyo (Japan).nes")
    (map_text,) = blocks("yaml", PAGES["famicom"])
    # the page's codes are only an example: the homebrew ROM, which is used here, has other codes
    (folder / "my_map.yaml").write_text(re.sub(r"values: {.*?}}", "values: {0: empty}}", map_text))
    from tests import titles as game

    with Console.open(find_core("nes"), load_nes_rom(home)) as console:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        (folder / "my.state").write_bytes(console.save())
    (mine,) = (program for program in blocks("python", PROGRAMS) if program.startswith("# mine.py"))
    (folder / "mine.py").write_text(mine)
    return folder


SLOW = (
    *("ochibot bench", "ochibot selfplay", "ochibot battle", "ochibot deal", "ochibot calibrate", "ochibot play tsu"),
    *("ochibot play --pieces 100", "ochibot play nyaa", "ochibot arena"),
)
"""The beginnings of blocks that take long, which only ``make test-long`` runs."""

BLOCKS = [
    pytest.param(block, marks=pytest.mark.long if block.startswith(SLOW) else (), id=block.split("\n")[0])
    for block in SHOWN
    if "ochibot" in block
]


@pytest.mark.parametrize("block", BLOCKS)
def test_commands_of_the_pages(desk: Path, block: str) -> None:
    """Runs the commands of a block in order, because later ones may use files that earlier ones made."""
    for command in commands(block):
        if "nestopia" in command and not find_cores("nestopia"):
            continue  # this core may be missing; docs/install.md says how to get it
        run_command(desk, shlex.split(command))


def run_command(desk: Path, words: list[str]) -> None:
    if "--rom" in words and "--pieces" not in words:
        words += ["--pieces", "10"]
    if "--map" in words:
        content = (desk / "my_map.yaml").read_text()
        assert "extends: famicom_puyo/player1" in content
        shipped = data_path("ram_maps/famicom_puyo/player1.yaml").read_text()
        (codes,) = re.findall(r"    values: ({.*?})", shipped, re.DOTALL)
        (desk / "my_map.yaml").write_text(content.replace("{0: empty}", codes))
    if words[1:3] == ["bench", "console"]:
        words += ["--frames", "200", "--rounds", "1"]
    done = ochibot(*words[1:], cwd=desk)
    assert done.returncode == 0, f"{shlex.join(words)}: {done.stderr}"


def test_the_other_commands_are_targets_of_the_makefile() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    others = [command for command in COMMANDS if not command.startswith("ochibot")]
    assert others == ["make play", "make test"]
    told = README + page("install") + (REPOSITORY / "CONTRIBUTING.md").read_text()
    for target in re.findall(r"(?:`|^)make ([a-z][a-z-]+)", told, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("program", dict.fromkeys(blocks("python", README + PROGRAMS + page("environments"))))
def test_programs_of_the_readme_and_of_the_page_on_programs(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout or "class " in program


YOUR_OWN = page("your-own-game")


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the ROM that docs/your-own-game.md plays, and with the YAML files that this page shows."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copy(REPOSITORY / "tests/variants/moved/moved.nes", folder / "kumi.nes")
    for text in re.findall(r"```yaml\n(# (\S+\.yaml)\n.*?)```", YOUR_OWN, re.DOTALL):
        (folder / text[1]).write_text(text[0], encoding="utf-8")
    return folder


@pytest.mark.long
def test_a_game_of_your_own_from_nothing_to_playing(
    own_game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs every command of docs/your-own-game.md in order, then its program, and loads its example of a ``look``."""
    shell = re.findall(r"```sh\n(.*?)```", YOUR_OWN, re.DOTALL)
    ours = [shlex.split(command) for block in shell for command in commands(block)]
    assert {words[1] for words in ours} == {"doctor", "play", "ram", "verify", "dump", "movie", "battle"}
    monkeypatch.chdir(own_game)
    for words in ours:
        done = Run(capsys, monkeypatch, *words[1:])
        # ``ram check`` exits with 1, because the ROM contradicts the map that it was given
        assert done.code == (words[1] == "ram"), f"{shlex.join(words)}: {done.err}"
        if words[1] in ("play", "battle"):
            assert re.search("agreement 1$", done.out, re.MULTILINE), done.out
    (program,) = re.findall(r"```python\n(.*?)```", YOUR_OWN, re.DOTALL)
    shown = subprocess.run([sys.executable, "-c", program], cwd=own_game, capture_output=True, text=True, timeout=600)
    assert shown.stdout == "1.0\n", shown.stderr
    (look,) = re.findall(r"```yaml\n(look: .*?)```", YOUR_OWN, re.DOTALL)
    (own_game / "seen.yaml").write_text(f"extends: kumi.yaml\ngame: seen\n{look}")
    assert find_game(str(own_game / "seen.yaml")).name == "seen"


def test_all_that_a_game_file_may_say_is_documented() -> None:
    """The page's table names every field of ``GameFile`` that a user's game file may need."""
    from ochibot.games.filed.model import GameFile

    table = YOUR_OWN.split("## All that a game file may say")[1]
    named = set(re.findall(r"`(\w+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if "|" in line)))
    # fields that only shipped game files need, for example for other ROMs of the same title, or sets of files
    ours = {"rom_name", "earlier_sha1", "sets", "known", "soundless", "others", "map_games", "codes"}
    assert named - {"extends", "name"} == set(GameFile.model_fields) - ours


def test_all_that_a_rules_file_may_say_is_documented() -> None:
    """The page's table names every entry that the model of a rules file has, and no other."""
    import typing

    from ochibot.puyo.rules import file
    from pydantic import BaseModel

    def entries(model: type[BaseModel], before: str = "") -> set[str]:
        found: set[str] = set()
        for name, one in model.model_fields.items():
            kinds = [one.annotation, *typing.get_args(one.annotation)]
            parts = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
            found |= entries(parts[0], f"{before}{name}.") if parts else {before + name}
        return found

    table = YOUR_OWN.split("## All that a rules file may say")[1].split("\n## ")[0]
    named = set(re.findall(r"`([\w.]+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if "|" in line)))
    assert named == entries(file._Profile)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "but", "fewest"),
    [
        ("ram", "ochibot ram check", 8),
        *(pytest.param(*one, marks=pytest.mark.proof) for one in (("ram", None, 10), ("calibration", None, 6))),
    ],
)
def test_commands_of_the_page_on_ram_and_calibration(name: str, but: str | None, fewest: int, tmp_path: Path) -> None:
    """Runs the commands of the page in order, because later ones use files that earlier ones made. but: those that
    only ``make prove`` runs, for a minute; tests of ``ram check`` run it for fewer pieces.
    """
    (tmp_path / "roms").symlink_to(data_path("roms/homebrew").parent)
    shown = [line for block in blocks("sh", page(name)) for line in commands(block)]
    shown = [line for line in shown if but is None or not line.startswith(but)]
    assert len(shown) > fewest
    for command in shown:
        words = shlex.split(command)
        done = ochibot(*words[1:], cwd=tmp_path)
        assert done.returncode == 0, f"{command}: {done.stderr}"


@pytest.mark.skipif(not find_cores("genesis_plus_gx"), reason="no genesis_plus_gx core here (stable-retro brings it)")
def test_the_program_that_reads_a_mega_drive_rom() -> None:
    (program,) = blocks("python", PAGES["megadrive"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0x")


def test_files_that_documents_point_to_exist() -> None:
    for document in [REPOSITORY / "README.md", *REPOSITORY.glob("docs/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_the_readme_is_short_and_each_page_is_listed() -> None:
    """What isn't in the README is at most two links away: through docs/README.md, which lists every page."""
    assert len(README.splitlines()) <= 170
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", page("README")))
    assert listed == {path.name for path in REPOSITORY.glob("docs/*.md")} - {"README.md"}
    assert "](docs/README.md)" in README
    in_menu = set(re.findall(r"[\w-]+\.md", (REPOSITORY / "mkdocs.yml").read_text().partition("\nnav:")[2]))
    assert listed <= in_menu


def documents() -> list[Path]:
    guides = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *REPOSITORY.glob("roms/homebrew/*/README.md")]
    # without docs/proofs.md, which quotes commands of earlier commits
    return [*guides, *(page for page in REPOSITORY.glob("docs/*.md") if page.name != "proofs.md")]


def test_modules_and_files_that_documents_name_exist() -> None:
    rooms = [path.name for path in (REPOSITORY / "bot/ochibot").iterdir() if path.is_dir()]
    named = 0
    for document in documents():
        text = document.read_text(encoding="utf-8")
        for module in re.findall(r"python -m ([a-z_.]+[a-z])", text):
            assert importlib.util.find_spec(module), f"{document.name} names the module {module}"
        for path in re.findall(r"`((?:bot|tests|configs|ram_maps|tools)/[a-z0-9_/.]+)`", text):
            named += 1
            assert (REPOSITORY / path).exists(), f"{document.name} names {path}"
        if document.name == "architecture.md":
            for path in re.findall(rf"`((?:{'|'.join(rooms)})/[a-z0-9_/.]*)`", text):
                named += 1
                assert (REPOSITORY / "bot/ochibot" / path).exists(), f"{document.name} names {path}"
    assert named > 40


def test_every_room_stands_in_the_architecture() -> None:
    told = (REPOSITORY / "docs/architecture.md").read_text(encoding="utf-8")
    parts = [path for path in (REPOSITORY / "bot/ochibot").iterdir() if not path.name.startswith("__")]
    for part in parts:
        name = f"{part.name}/" if part.is_dir() else part.name
        assert part.suffix not in ("", ".py") or f"`{name}`" in told, name
