/**
 * Runs one operation from the command line: asks for confirmation if required, calls it on its line, and prints the
 * result. Must not know any particular operation. Called by program.ts.
 */
import { ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { OPERATIONS, operationNamed } from '../../../kernel/operations/index.ts'
import { type Operation, refusalWords, type View } from '../../../kernel/operations/operation.ts'
import { machineTimezone } from '../../config/config.ts'
import { yesIn } from '../../init/answers.ts'
import { follow } from '../chat/ask.ts'
import { createAsker } from '../chat/asker.ts'
import { showPut } from '../chat/cards.ts'
import { terminalText } from '../chat/terminal-text.ts'
import {
  type CommandContext,
  type ExitCode,
  fail,
  onLine,
  patienceOf,
  printReport,
  withLink,
} from '../command.ts'
import type { Line, Link } from '../line/link.ts'

export interface OperationOptions {
  readonly operation: Operation
  readonly args: Readonly<Record<string, unknown>>
  readonly line: Line
  readonly json: boolean
  /** Skip the confirmation. */
  readonly yes: boolean
  /** Seconds to wait for the task that it starts. */
  readonly timeout?: number
  /** Asks the owner; null if they cancel. */
  readonly ask?: (question: string) => Promise<string | null>
}

export async function operationCommand(
  context: CommandContext,
  options: OperationOptions,
): Promise<ExitCode> {
  if (options.operation.each) return bothPlaces(context, options)
  const { operation, line } = options
  return onLine(context, { line, start: !operation.awake }, async (link, attachment) => {
    if (!(await isSure(context, link, options))) return ok(1)
    const done = await link.call(operation, options.args)
    if (!done.ok) return refusal(context, operation, done)
    return printed(context, { link, attachment }, { ...options, value: done.value })
  })
}

type Done = OperationOptions & { readonly value: unknown }

interface Reached {
  readonly link: Link
  readonly attachment: Parameters<typeof patienceOf>[2]
}

async function printed(
  context: CommandContext,
  { link, attachment }: Reached,
  done: Done,
): Promise<Result<ExitCode>> {
  const { operation, json, value, args, line, timeout = 0 } = done
  const words = json
    ? JSON.stringify(value, null, 2)
    : terminalText(operation.text(value, viewAt(line), args)).trimEnd()
  const task = operation.follows ? memberOf(value, 'task') : null
  if (task !== null && (json || words === '')) {
    const past = memberOf(value, 'card') ?? ''
    const patience = { ...patienceOf(context.screen, timeout, attachment), past }
    const report = await follow(link, task, patience)
    if (!report.ok) return report
    const exit = printReport(context, report.value, json)
    const put = memberOf(value, 'approval')
    return put === null || json ? ok(exit) : showPut(context.screen, link, put)
  }
  const card = memberOf(value, 'approval')
  // For an operation that only creates a card, the card itself is the answer.
  const isBad = operation.fails(value)
  if (words !== '') (isBad && operation.follows && !json ? context.screen.err : context.screen.out)(words)
  if (card !== null && !json) return showPut(context.screen, link, card)
  return ok(isBad ? 1 : 0)
}

function memberOf(value: unknown, name: 'approval' | 'task' | 'card'): string | null {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
  return typeof member === 'string' && member !== '' ? member : null
}

/** Uses the operation's own words for the refusal if it has some, else the general ones. */
function refusal(
  { screen }: CommandContext,
  operation: Operation,
  failed: { readonly ok: false; readonly reason: Refusal },
): Result<ExitCode> {
  const own = refusalWords(operation, failed.reason)
  if (own === undefined) return failed
  screen.err(own)
  return ok(1)
}

/** Shows what will be removed; any answer but yes cancels. */
async function isSure(
  context: CommandContext,
  link: Link,
  { operation: { confirm }, args, line, yes, ask }: OperationOptions,
): Promise<boolean> {
  const shows = confirm === null ? null : operationNamed(confirm.shows)
  if (confirm === null || shows === null) return true
  const found = await link.call(shows, args)
  // If this fails, the operation itself reports the error.
  if (!found.ok) return true
  context.screen.out(terminalText(shows.text(found.value, viewAt(line), args)).trimEnd())
  if (yes || yesIn((await asked(`\n${confirm.asks} (yes, no)\n[no] > `, ask)) ?? '') === true) return true
  context.screen.err(confirm.otherwise)
  return false
}

async function asked(question: string, ask: OperationOptions['ask']): Promise<string | null> {
  if (ask !== undefined) return ask(question)
  const asker = createAsker(process.stdin, process.stderr, process.stdin.isTTY === true)
  const said = await asker.ask(question)
  asker.letGo()
  return said
}

const PLACES = [
  { place: 'home', line: 'private', start: true, called: 'Home' },
  { place: 'edge', line: 'open', start: false, called: 'The edge' },
] as const

/** Fails if neither place answers. JSON: {home, edge}, null for a place that does not answer. */
async function bothPlaces(context: CommandContext, options: OperationOptions): Promise<ExitCode> {
  const { operation, args, json } = options
  const ask = (on: (typeof PLACES)[number]): Promise<Result<unknown>> =>
    withLink(context, on, (link) => link.call(operation, args))
  const [home, edge] = [await ask(PLACES[0]), await ask(PLACES[1])]
  if (!home.ok && !edge.ok) return fail(context, home)
  const values = { home: home.ok ? home.value : null, edge: edge.ok ? edge.value : null }
  const parts = PLACES.map(({ place, line, called }) =>
    values[place] === null
      ? `${called} does not answer: what is there is not counted here.`
      : operation.text(values[place], viewAt(line), args),
  )
  context.screen.out(json ? JSON.stringify(values, null, 2) : terminalText(parts.join('\n\n')))
  return 0
}

/** Formatting for a terminal. */
export function viewAt(line: Line): View {
  return {
    now: Date.now(),
    timezone: machineTimezone(),
    place: line === 'private' ? 'home' : 'edge',
    cardBeside: true,
    say: (name, ...args) => ['pfar', ...wordsOf(name), ...args].join(' '),
  }
}

/** The shortest form of the command: a list needs no verb. */
function wordsOf(name: string): readonly string[] {
  const command = OPERATIONS.find((one) => one.name === name)?.command ?? [name]
  return command.at(-1) === 'list' ? command.slice(0, -1) : command
}
