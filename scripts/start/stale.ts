/**
 * Finds and ends a runtime that a killed PFAR left behind. Must not end anything else: a recorded process id counts
 * only while it still runs the recorded program. Called by edge-process.ts and leftovers.ts.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Program that runs the edge. */
export const RUNTIME = 'workerd'

interface Running {
  readonly pid: number
  readonly parent: number
  readonly program: string
}

/** Ids of the direct children of `parent` that run `program`. */
export function childProcesses(parent: number, program: string): readonly number[] {
  return processes()
    .filter((process) => process.parent === parent && process.program.includes(program))
    .map(({ pid }) => pid)
}

/** Kills the recorded processes that still run `program` and whose parent is gone. Returns how many. */
export function killStale(pidFile: string, program: string): number {
  const noted = notedIn(pidFile)
  const all = noted.length === 0 ? [] : processes()
  const alive = new Set(all.map(({ pid }) => pid))
  const stale = all.filter(
    (candidate) =>
      noted.includes(candidate.pid) &&
      candidate.program.includes(program) &&
      (candidate.parent === 1 || !alive.has(candidate.parent) || !runsNode(candidate.parent, all)),
  )
  for (const { pid } of stale) process.kill(pid, 'SIGKILL')
  return stale.length
}

/** Another process than init may adopt orphans; a runtime in use has a Node process as its parent. */
function runsNode(pid: number, all: readonly Running[]): boolean {
  return all.find((candidate) => candidate.pid === pid)?.program.includes('node') ?? false
}

function notedIn(pidFile: string): readonly number[] {
  try {
    return readFileSync(pidFile, 'utf8')
      .split('\n')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 1)
  } catch {
    return []
  }
}

/** All running processes, from /proc or `ps`; empty if neither is available, so that nothing is guessed. */
function processes(): readonly Running[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? fromStat(`/proc/${name}/stat`) : []))
  } catch {
    return fromPs()
  }
}

/** `pid (name) state ppid …`; the name may contain spaces and parentheses. */
function fromStat(path: string): readonly Running[] {
  try {
    const match = /^(\d+) \((.*)\) \S (\d+) /s.exec(readFileSync(path, 'utf8'))
    return match === null
      ? []
      : [{ pid: Number(match[1]), program: match[2] ?? '', parent: Number(match[3]) }]
  } catch {
    // It exited after the folder was listed.
    return []
  }
}

function fromPs(): readonly Running[] {
  try {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    return text
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line))
      .flatMap((match) =>
        match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), program: match[3] ?? '' }],
      )
  } catch {
    return []
  }
}
