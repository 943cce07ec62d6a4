/**
 * What `pfar uninstall` takes away, and what it must not: the state folder and nothing beside it. Looks only; must not change anything.
 * Called by uninstall-command.ts.
 */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { readInitRecord } from '../init/init-record.ts'
import { ASIDE } from '../state-folder.ts'

/** One of them is in every folder in which PFAR ran: what other programs make, too, is no proof. */
const MARKS = ['device.key', 'home.sqlite'] as const

/** All that PFAR makes or reads in it. What is none of these is its owner's, and nothing that PFAR may delete. */
const KNOWN: readonly RegExp[] = [
  /^(?:home|keys|secrets)\.sqlite(?:-wal|-shm|-journal)?$/,
  /^(?:home\.(?:lock|sock|token)|backup\.lock|start\.pid)$/,
  /^(?:device|dev|master|backup-sign)\.key$/,
  /^(?:custody|init|edges|copies|backup-key)\.json$/,
  /^(?:config|demo)\.toml$/,
  /^pfar-master\.cred$/,
  /^(?:edge|logs|backups|prompts|backup-tmp|copy-tmp|edge-restore)$/,
  /^edit-[0-9a-f]{16}\.md$/,
]
/** Of a file that was being replaced. */
const DRAFT = /\.(?:new|\d+|[0-9a-f]{12})$/

/** The folder that holds this program: what removes itself could not end. */
const PROGRAM = join(import.meta.dirname, '../..')

/**
 * Whether all of this folder may go. A wrong `PFAR_HOME` must not cost somebody his files: it is a folder of his own, no link, holds what
 * PFAR makes, and neither his own files nor this program lie in it. Refusals: nothing_found, storage_failed.
 */
export function removable(path: string): Result<true> {
  if (!existsSync(path)) return err('nothing_found', { file: path, problem: 'it is not there' })
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    return kept(path, 'it is no folder of yours; run this as the account whose it is')
  const real = realpathSync(path)
  if ([homedir(), PROGRAM, process.cwd()].some((other) => isWithin(other, real)))
    return kept(path, 'more than PFAR lies in it')
  if (!MARKS.some((name) => existsSync(join(path, name))) && !wasBegun(path))
    return kept(path, 'it does not look like one that PFAR made: there is no key and no database of its own')
  const other = readdirSync(path).find((name) => !isKnown(name))
  return other === undefined
    ? ok(true)
    : kept(path, `${JSON.stringify(other)} in it is none of PFAR's; move it elsewhere first`)
}

/** Set up by questions, and never started: there is no key yet. What another program calls by that name does not say the same. */
function wasBegun(path: string): boolean {
  const record = readInitRecord({ path, file: (name) => join(path, name) })
  return record.ok && Object.keys(record.value.answered).length > 0
}

function isKnown(name: string): boolean {
  return KNOWN.some((pattern) => pattern.test(name) || pattern.test(name.replace(DRAFT, '')))
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
  return err('storage_failed', { file, problem })
}
