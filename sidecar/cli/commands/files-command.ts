/**
 * `pfar connect files ~/notes`: checks that the folder exists and may be read, writes it into config.toml, and reports how many
 * files home will see. Must not accept home's own folder, or the root of everything. Called by local/secret.ts.
 */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { foldersTable, writeFoldersSetting } from '../../config/config-edit.ts'
import { createFolders } from '../../folders/folders.ts'
import { codeOf, isExcluded, isHidden } from '../../folders/open-inside.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail } from '../command.ts'
import { statePaths } from '../state-paths.ts'
import { openConfig } from './opened-config.ts'

interface FilesOptions {
  readonly folder?: string
  readonly asker: TerminalAsker | null
}

const STEPS: readonly string[] = [
  'Name a folder of texts: notes, tables, PDFs. I read what is in it and below it, and write there after a card.',
  'I never look at names that begin with a dot, follow no link, and see nothing of my own folder.',
]

export async function connectFiles(context: CommandContext, options: FilesOptions): Promise<ExitCode> {
  const { screen } = context
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  const typed = options.folder ?? (await askFolder(context, options.asker))
  if (typed === null) return 1
  const own = [await realpath(paths.root), ...ownFolders(config)]
  const found = await folderIn(typed, own)
  if (!found.ok) {
    screen.err(found.says)
    return 1
  }
  return keep(context, { folder: found.path, before: config.folders, own })
}

export function ownFolders({ backupFolder }: Config): readonly string[] {
  return backupFolder === null ? [] : [backupFolder]
}

async function askFolder({ screen }: CommandContext, asker: TerminalAsker | null): Promise<string | null> {
  for (const line of STEPS) screen.out(line)
  const typed = await asker?.ask('Which folder? Its whole path, such as ~/notes: ')
  asker?.letGo()
  return typed === undefined || typed === null || typed.trim() === '' ? null : typed.trim()
}

export type FoundFolder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly says: string }

/** Resolves a link once, here: the configuration stores the folder that it points to now. */
export async function folderIn(typed: string, own: readonly string[]): Promise<FoundFolder> {
  const path = resolve(typed.replace(/^~(?=\/|$)/, homedir()))
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) return no('That is no folder. Name the folder that it lies in.')
    if (isExcluded(real, own)) return no('That is my own folder, with your keys. I look at nothing in it.')
    if (isHidden(real)) return no('Its path holds a name that begins with a dot. I look at nothing there.')
    if (real === dirname(real) || real === (await realpath(homedir()).catch(homedir)))
      return no('That is too much. Name a folder in it, with what I shall read.')
    await access(real, constants.R_OK | constants.X_OK)
    return { ok: true, path: real }
  } catch (error) {
    return no(
      ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
        ? 'There is no such folder.'
        : 'I have no right to look into that folder.',
    )
  }
}

function no(says: string): FoundFolder {
  return { ok: false, says }
}

interface Kept {
  readonly folder: string
  readonly before: readonly string[]
  readonly own: readonly string[]
}

async function keep(context: CommandContext, { folder, before, own }: Kept): Promise<ExitCode> {
  const { screen, environment } = context
  const { config } = statePaths(environment)
  // A folder inside another one would show its files twice.
  const isThere = isExcluded(folder, before)
  const folders = [...before.filter((one) => !isExcluded(one, [folder])), folder]
  if (!isThere && !writeFoldersSetting(config, before, folders)) {
    screen.err(`config.toml could not be changed. Put this into it:\n${foldersTable(folders)}`)
    return 1
  }
  const listing = await createFolders({ folders: [folder], excluded: own }).list()
  const count = listing.ok ? listing.value.files.length : 0
  const more = listing.ok && listing.value.partial ? 'more than ' : ''
  screen.out(
    `Your folder is connected: ${join(folder, '/')} (${more}${count} ${count === 1 ? 'file' : 'files'}).`,
  )
  // A running home applies it at once; otherwise it applies at the next start.
  const told = await askSocket(context, { method: 'folders_reload', params: {} })
  screen.out(told.ok ? 'Ask: "list my files".' : 'Start home, and ask: "list my files".')
  return 0
}
