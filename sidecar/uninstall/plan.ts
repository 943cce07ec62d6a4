/** Determines what `pfar uninstall` deletes: the state folder and nothing beside it. Read-only. Called by uninstall-command.ts. */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { readInitRecord } from '../init/init-record.ts'
import { ASIDE } from '../store/state-folder.ts'

/** One of these is in every folder in which PFAR ran. Files that other programs also create prove nothing. */
const MARKS = ['device.key', 'home.sqlite'] as const

/** All files that PFAR creates or reads there. Any other file is the owner's and must not be deleted. */
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
/** Suffix of a file that was being replaced. */
const DRAFT = /\.(?:new|\d+|[0-9a-f]{12})$/

/** The folder of this program, which cannot delete itself while running. */
const PROGRAM = join(import.meta.dirname, '../..')

/**
 * Whether the whole folder may be deleted. A wrong `PFAR_HOME` must not cost anybody their files: the folder must be
 * this account's, no link, contain files of PFAR, and contain neither other files nor this program. Refusals:
 * nothing_found, storage_failed.
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

/**
 * Whether `pfar init` ran here without a start, so that no key exists yet. The content is checked, because other
 * programs may use the same file name.
 */
function wasBegun(path: string): boolean {
  const record = readInitRecord({ path, file: (name) => join(path, name) })
  return record.ok && Object.keys(record.value.answered).length > 0
}

function isKnown(name: string): boolean {
  return KNOWN.some((pattern) => pattern.test(name) || pattern.test(name.replace(DRAFT, '')))
}

/** Folders beside it that a restore moved aside; they are not deleted. */
export function besides(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(basename(path) + ASIDE))
      .map((name) => join(dirname(path), name))
  } catch {
    return []
  }
}

/** Whether `path` is `folder` or inside it. */
export function isWithin(path: string, folder: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function kept(file: string, problem: string): Result<never> {
  return err('storage_failed', { file, problem })
}
