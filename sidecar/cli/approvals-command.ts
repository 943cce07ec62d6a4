/**
 * `pfar approvals edit`, `pfar approve <id|n>` and `pfar deny <id|n|all>`. Must not decide anything that the owner did not
 * name: a number means one card for ever, and the place knows which. Called by program.ts and by the chat.
 */
import { randomUUID } from 'node:crypto'
import type { ApprovalView, Standing } from '../../kernel/features/approvals/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { follow } from './ask.ts'
import { printReport } from './ask-command.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf } from './command.ts'
import type { Decision, Line, Link } from './link.ts'
import { terminalText } from './terminal-text.ts'

export interface ApprovalsOptions {
  readonly line: Line
  readonly json: boolean
}

export interface DecideOptions extends ApprovalsOptions {
  readonly decision: Decision
  /** Id, or number. */
  readonly which: string
  /** Seconds to wait for what the decision leads to. */
  readonly timeout: number
  /** Days of a grant for more of the same that is asked for besides; null for none. */
  readonly always: number | null
  /** Uses a day of that grant. */
  readonly perDay: number
}

export interface EditOptions extends Pick<DecideOptions, 'line' | 'json' | 'which' | 'timeout'> {
  readonly text: string
  /** Which text; null where there is only one. */
  readonly field: string | null
}

/** In place of an id, for a no. */
const ALL = 'all'

/**
 * Yes or no to one question, or to all that waits. With `always`, the yes is followed by the card of a standing grant,
 * which wants an answer of its own.
 */
export async function decideCommand(context: CommandContext, options: DecideOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link, attachment) => {
    if (options.which === ALL) return denyAll(context, link, options)
    const approval = await findApproval(link, options.which)
    if (!approval.ok) return approval
    const ended = options.always === null ? await endingOf(link, approval.value) : null
    if (ended !== null && !isReport(ended, options)) return ok(printEnding(context, ended, options))
    const put = await proposeAlways(link, approval.value, options)
    if (!put.ok) return put
    const decided = await link.decide(approval.value, options.decision, newMessage())
    if (!decided.ok) return decided
    const exit = await told(context, options, {
      link,
      attachment,
      approval: approval.value,
      ...decided.value,
    })
    return exit.ok && put.value !== null ? showPut(context, link, put.value) : exit
  })
}

/** How a question ended, in the words of the chats; null while it waits, and where its place does not tell. */
export async function endingOf(link: Link, approval: string): Promise<Standing | null> {
  const standing = await link.standing(approval)
  return standing.ok && standing.value.isOver ? standing.value : null
}

/** A script that repeats its answer is given the task's document once more. */
function isReport({ said }: Standing, { json, decision }: DecideOptions): boolean {
  return json && said === decision
}

/** The same answer again has failed at nothing; another one changes nothing any more. */
function printEnding(
  { screen }: CommandContext,
  { words, said }: Standing,
  { decision }: DecideOptions,
): ExitCode {
  const isAgain = said === decision
  const print = isAgain ? screen.out : screen.err
  print(terminalText(words).trimEnd())
  return isAgain ? 0 : 1
}

/** Other words for what waits: the new card is printed, and nothing has run. */
export async function editCommand(context: CommandContext, options: EditOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link, attachment) => {
    const approval = await findApproval(link, options.which)
    if (!approval.ok) return approval
    const { text, field } = options
    const argument = field === null ? {} : { argument: field }
    const edited = await link.edit({ approval: approval.value, text, ...argument })
    if (!edited.ok) return edited
    return told(context, options, { link, attachment, approval: approval.value, ...edited.value })
  })
}

/** Names one answer of the owner's, as a messenger names a message. */
export function newMessage(): string {
  return randomUUID().replaceAll('-', '')
}

/** The card that was put, and how to answer it. */
export async function showPut({ screen }: CommandContext, link: Link, id: string): Promise<Result<ExitCode>> {
  const waiting = await link.approvals()
  if (!waiting.ok) return waiting
  const view = waiting.value.find((candidate) => candidate.id === id)
  if (view === undefined) return err('approval_unknown')
  screen.out(terminalText(view.full).trimEnd())
  screen.err(`Nothing is allowed yet. To allow it: pfar approve ${id}   To refuse: pfar deny ${id}`)
  return ok(0)
}

interface Followed {
  readonly link: Link
  readonly attachment: Parameters<typeof patienceOf>[2]
  readonly approval: string
  readonly task: string
}

/** What the answer led to. A change of the rules has no task, and is done when it is agreed to. */
async function told(
  context: CommandContext,
  options: Pick<DecideOptions, 'timeout' | 'json'>,
  { link, attachment, approval, task }: Followed,
): Promise<Result<ExitCode>> {
  if (task === '') {
    context.screen.out(
      'Done. `pfar grants`, `pfar people`, `pfar identities` and `pfar brain` show what holds.',
    )
    return ok(0)
  }
  const patience = { ...patienceOf(context.screen, options.timeout, attachment), past: approval }
  const report = await follow(link, task, patience)
  return report.ok ? ok(printReport(context, report.value, options.json)) : report
}

async function proposeAlways(
  link: Link,
  approval: string,
  { always, perDay }: DecideOptions,
): Promise<Result<string | null>> {
  if (always === null) return ok(null)
  const put = await link.always({ approval, days: always, perDay, message: newMessage() })
  return put.ok ? ok(put.value.approval) : put
}

/** Only a no: a yes to what one has not looked at is none. */
async function denyAll(
  { screen }: CommandContext,
  link: Link,
  { decision }: DecideOptions,
): Promise<Result<ExitCode>> {
  if (decision !== 'deny') return err('choice_ambiguous')
  const waiting = await link.approvals()
  if (!waiting.ok) return waiting
  for (const { id } of waiting.value) {
    const denied = await link.decide(id, 'deny', newMessage())
    if (!denied.ok) return denied
  }
  screen.out(`Refused: ${waiting.value.length}.`)
  return ok(0)
}

/**
 * The one that `which` names, or the only one when it is empty. What does not wait is passed on by its name: the place knows how it
 * ended, and no other card is ever meant.
 */
export async function findApproval(link: Link, which: string): Promise<Result<string>> {
  const waiting = await link.approvals()
  if (!waiting.ok) return waiting
  if (which !== '') return ok(waiting.value.find((one) => isNamed(one, which))?.id ?? which)
  const [only, ...others] = waiting.value
  if (only === undefined) return err('nothing_found')
  return others.length > 0 ? err('choice_ambiguous', { waiting: waiting.value.length }) : ok(only.id)
}

export function isNamed({ id, number }: ApprovalView, which: string): boolean {
  return id === which || (number > 0 && String(number) === which)
}
