/**
 * `pfar health import export.zip`: parses the file in a sandboxed child process and sends its days to home, which seals them.
 * `pfar health watch ~/Health`: sets the folder in which home looks for such files. Must not print a value. Called by
 * local/health.ts.
 */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { loadConfig } from '../../config/config.ts'
import { healthFolderTable, writeHealthFolder } from '../../config/config-edit.ts'
import { createExportReader, openExport } from '../../health/export-reader.ts'
import { failedWords, type ImportedFile, importedLines, importHealthFile } from '../../health/import-file.ts'
import {
  askOperation,
  askSocket,
  type CommandContext,
  type ExitCode,
  fail,
  onLine,
  said,
} from '../command.ts'
import { statePaths } from '../state-paths.ts'
import { folderIn, ownFolders } from './files-command.ts'
import { openConfig } from './opened-config.ts'

const MEGABYTE = 1_000_000
/** Milliseconds that home may take to seal the months of one call. */
const WITHIN = 120_000

/** Starts home for the import if it is not running, and stops it afterwards. */
export function importHealth(context: CommandContext, file: string): Promise<ExitCode> {
  return onLine(context, { line: 'private', start: true }, async () => ok(await importFile(context, file)))
}

async function importFile(context: CommandContext, file: string): Promise<ExitCode> {
  const { screen } = context
  const path = resolve(file.replace(/^~(?=\/|$)/, homedir()))
  const imported = await imports(context, path)
  screen.progress('')
  if (!imported.ok) {
    const words = failedWords(imported.reason.code)
    return words === null ? fail(context, imported) : said(context, words)
  }
  for (const line of importedLines(imported.value)) screen.out(line)
  return askToShow(context)
}

async function imports(context: CommandContext, path: string): Promise<Result<ImportedFile>> {
  const { environment, screen } = context
  const config = loadConfig(environment, statePaths(environment).root)
  if (!config.ok) return config
  const file = await openExport(path)
  if (!file.ok) return file
  const read = createExportReader({ withoutSandbox: config.value.documentsWithoutSandbox })
  const { signal } = new AbortController()
  try {
    return await importHealthFile({
      read: (progress) => read(file.value, { now: Date.now(), progress, signal }),
      keep: (months) =>
        askSocket(context, {
          ...{ method: 'health_keep', params: { source: 'apple', months }, within: WITHIN },
        }),
      progress: (what, done, of) =>
        screen.progress(
          what === 'reading'
            ? `Reading: ${megabytes(done)} of ${megabytes(of)} MB`
            : `Keeping: ${done} of ${of} months`,
        ),
    })
  } finally {
    await file.value.close()
  }
}

/** Creates the card that asks where health data may be shown; the owner answers it here first. */
async function askToShow(context: CommandContext): Promise<ExitCode> {
  const { screen } = context
  const asked = await askOperation(context, 'health.allow', { chat: 'terminal' })
  const card = asked.ok ? approvalIn(asked.value) : null
  if (card !== null) {
    screen.out(
      `It is shown nowhere yet. To have it shown at this terminal: pfar approve ${card} (pfar approvals says what to)`,
    )
    screen.out('In another chat with your home, say: let this chat see health data.')
  }
  screen.out('Then ask: "how did I sleep last night?"')
  return 0
}

function approvalIn(answer: unknown): string | null {
  const found = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'approval') : null
  return typeof found === 'string' ? found : null
}

/** `folder` null: removes the folder; absent: prints the current one. */
export async function watchHealth(context: CommandContext, folder?: string | null): Promise<ExitCode> {
  const { screen } = context
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  const before = config.healthFolder
  if (folder === undefined) {
    screen.out(
      before === null
        ? 'No folder is looked into. Name one: pfar health watch ~/Health'
        : `${before} is looked into.`,
    )
    return 0
  }
  const own = [await realpath(paths.root), ...ownFolders(config)]
  const found = folder === null ? null : await folderIn(folder, own)
  if (found?.ok === false) return said(context, found.says)
  const after = found?.path ?? null
  if (before !== after && !writeHealthFolder(paths.config, before, after)) {
    const lines =
      after === null ? 'Take [tools.health] out of it.' : `Put this into it:\n${healthFolderTable(after)}`
    return said(context, `config.toml could not be changed. ${lines}`)
  }
  screen.out(
    after === null
      ? 'No folder is looked into for health exports, once home is started again. What was read in stays.'
      : `Health exports are looked for in ${join(after, '/')}, once home is started again.`,
  )
  if (after !== null)
    screen.out('Put export.zip there, as often as you like: each is read in once, and you are told.')
  return 0
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / MEGABYTE).toLocaleString('en-GB')
}
