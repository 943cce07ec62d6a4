/**
 * What `pfar uninstall` takes away, and what it must not: the state folder and nothing beside it. Looks only; must not change anything.
 * Called by uninstall-command.ts.
 */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import { ASIDE } from '../state-folder.ts'

/** One of them is in every folder that PFAR made. */
const MARKS = ['device.key', 'home.sqlite', 'init.json', 'start.pid', 'logs'] as const

/** The folder that holds this program: what removes itself could not end. */
const PROGRAM = join(import.meta.dirname, '../..')

/**
 * Whether all of this folder may go. A wrong `PFAR_HOME` must not cost somebody his files: it is a folder of his own, no link, holds what
 * PFAR makes, and neither his own files nor this program lie in it. Refusals: nothing_found, storage_failed.
 */
export function removable(path: string): Result<true> {
  if (!existsSync(path)) return refused('nothing_found', { file: path, problem: 'it is not there' })
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return kept(path, 'it is no folder of yours')
  const real = realpathSync(path)
  if ([homedir(), PROGRAM, process.cwd()].some((other) => isWithin(other, real)))
    return kept(path, 'more than PFAR lies in it')
  return MARKS.some((name) => existsSync(join(path, name)))
    ? allowed(true)
    : kept(path, 'it does not look like one that PFAR made')
}

/** What stays beside it, since it is not in it: folders that a restore moved aside. */
export function besides(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(basename(path) + ASIDE))
      .map((name) => join(dirname(path), name))
  } catch {
    return []
  }
}

/** Or the same. */
export function isWithin(path: string, folder: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function kept(file: string, problem: string): Result<never> {
  return refused('storage_failed', { file, problem })
}
