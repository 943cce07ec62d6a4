/**
 * `pfar status` shows what runs for this state folder and starts nothing; `pfar audit verify` verifies the chain of home's
 * audit in the store itself, beside a running home, and shows no row. Listed in index.ts.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { statusWords } from '../chat/status-words.ts'
import { type CommandContext, type ExitCode, fail, withLink } from '../command.ts'
import type { Line, PlaceStatus } from '../line/link.ts'
import { groupOf } from '../options.ts'
import { statePaths } from '../state-paths.ts'
import type { LocalCommand } from './local.ts'

export const STATUS: LocalCommand = {
  names: ['status'],
  why: 'process',
  reason: 'it says of both places whether they run at all, and starts neither',
  add: (program, run) =>
    program
      .command('status')
      .description('what runs where')
      .option('--json', 'one JSON document', false)
      .action(({ json }: { json: boolean }) => run((context) => showStatus(context, json))),
}

export const VERIFY: LocalCommand = {
  names: ['audit verify'],
  why: 'stopped',
  reason: 'it reads the file itself, whatever a home that runs would say of it',
  add: (program, run) =>
    groupOf(program, ['audit'])
      .command('verify')
      .description('whether every line is as it was written; fails if one is not')
      .action(() => run(verifyAudit)),
}

/** Fails if neither place answers. JSON: {running, home, edge}, null for a place that does not answer. */
async function showStatus(context: CommandContext, json: boolean): Promise<ExitCode> {
  const [home, edge] = await Promise.all([statusAt(context, 'private'), statusAt(context, 'open')])
  const running = home !== null || edge !== null
  const { screen } = context
  if (json) screen.out(JSON.stringify({ running, home, edge }, null, 2))
  else for (const place of [home, edge]) if (place !== null) screen.out(statusWords(place))
  return running ? 0 : fail(context, err('home_offline'))
}

async function statusAt(context: CommandContext, line: Line): Promise<PlaceStatus | null> {
  // Connecting has already queried the status: a second query would cost another round trip to the edge.
  const status = await withLink(context, { line, start: false }, async (link, { found }) =>
    found === undefined ? link.status() : ok(found),
  )
  return status.ok ? status.value : null
}

/** Exit code 1: a row was changed, removed or inserted, or the audit cannot be read. */
export async function verifyAudit({ screen, environment }: CommandContext): Promise<ExitCode> {
  const path = join(statePaths(environment).root, 'home.sqlite')
  const broken = existsSync(path) ? await brokenLine(path) : 'unread'
  if (broken === 'unread') screen.err(`There is no audit that can be read: ${path}`)
  else if (broken === null) screen.out('Every line of the audit follows from the one before it.')
  else screen.err(`Line ${broken} does not follow from the one before it. ${wordsFor('audit_broken')}`)
  return broken === null ? 0 : 1
}

async function brokenLine(path: string): Promise<number | null | 'unread'> {
  // Loaded on demand: it brings a database that no other command here needs.
  const { brokenAuditIn } = await import('../../backup/stores.ts')
  try {
    return brokenAuditIn(path)
  } catch {
    return 'unread'
  }
}
