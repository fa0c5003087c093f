"""Rows of scores in one CSV file, each written as soon as it is known, none computed twice."""
import csv
import threading

SCORES = ("crps", "rmse", "cov50", "cov80", "cov95", "cov99", "interval_score")
# What a row is the result of; two rows never agree in all of these.
KEY = ("data", "name", "split", "seed", "settings", "program", "threads")
COLUMNS = (*KEY, "suite", "status", "runs", "inputs", "test_runs", "test_sd", *SCORES,
           *(f"map_{score}" for score in SCORES), "cpu_seconds", "seconds", "validate_seconds", "grade", "converged",
           "weights", "activity")
NUMBERS = {*SCORES, *(f"map_{score}" for score in SCORES), "test_sd", "cpu_seconds", "seconds", "validate_seconds"}


def key_of(row):
    return tuple(str(row[column]) for column in KEY)


def with_numbers(row):
    """Empty cells of scores become None."""
    return {column: (float(cell) if cell else None) if column in NUMBERS else cell for column, cell in row.items()}


class Results:

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            self.append_line(COLUMNS)
        self.rows = {key_of(row): row for row in self.read()}

    def read(self):
        """A last line that an interrupted run left unfinished is dropped."""
        text = self.path.read_text(encoding="utf-8")
        whole = text[:text.rfind("\n") + 1]
        if whole != text:
            self.path.write_text(whole, encoding="utf-8")
        reader = csv.DictReader(whole.splitlines())
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise SystemExit(f"{self.path}: its columns are not those of this script; move it away")
        return [with_numbers(row) for row in reader]

    def append_line(self, cells):
        with open(self.path, "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(cells)

    def add(self, row):
        with self.lock:
            self.append_line(["" if row.get(column) is None else row[column] for column in COLUMNS])
            self.rows[key_of(row)] = with_numbers(
                {column: str("" if row.get(column) is None else row[column]) for column in COLUMNS})

    def has(self, row, is_failure_again=False):
        found = self.rows.get(key_of(row))
        return found is not None and not (is_failure_again and found["status"] != "ok")
