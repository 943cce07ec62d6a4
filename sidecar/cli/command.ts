/** Context and result of every command. Must not know any particular command. Called by program.ts. */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { renderHowToApprove, renderProgress, renderReply, renderTrail } from './chat/render.ts'
import type { Screen } from './chat/screen.ts'
import { keepShown } from './chat/shown-card.ts'
import { type AttachInput, type Attachment, attach } from './line/attach.ts'
import { createLineClient } from './line/line-client.ts'
import type { Line, Link } from './line/link.ts'
import { type Environment, statePaths } from './state-paths.ts'
import { sentenceFor } from './words.ts'

/** 0: success; 1: failure, with words on stderr; 2: wrong usage. */
export type ExitCode = 0 | 1 | 2

export interface CommandContext {
  readonly screen: Screen
  readonly environment: Environment
  readonly attach: (input: Omit<AttachInput, 'environment'>) => Promise<Result<Attachment>>
}

export function createContext(screen: Screen, environment: Environment): CommandContext {
  return { screen, environment, attach: (input) => attach({ ...input, environment }) }
}

interface OnLine {
  readonly line: Line
  readonly start: boolean
}

/** Runs `work` on a line and closes the line in any case. */
export async function withLink<T>(
  { attach }: CommandContext,
  { line, start }: OnLine,
  work: (link: Link, attachment: Attachment) => Promise<Result<T>>,
): Promise<Result<T>> {
  const attachment = await attach({ line, start })
  if (!attachment.ok) return attachment
  try {
    return await work(attachment.value.link, attachment.value)
  } finally {
    await attachment.value.close()
  }
}

/** The same; prints a refusal as a sentence. */
export async function onLine(
  context: CommandContext,
  on: OnLine,
  work: (link: Link, attachment: Attachment) => Promise<Result<ExitCode>>,
): Promise<ExitCode> {
  const done = await withLink(context, on, work)
  return done.ok ? done.value : fail(context, done)
}

interface SocketCall {
  readonly method: string
  readonly params: object
  /** Time limit of a slow answer, milliseconds. */
  readonly within?: number
}

/** Calls one method of the running home. Refusal: home_offline, those of the method. */
export async function askSocket(
  { environment }: Pick<CommandContext, 'environment'>,
  { method, params, within }: SocketCall,
): Promise<Result<unknown>> {
  const client = createLineClient(statePaths(environment).socket)
  try {
    return await client.method(method, params, within)
  } finally {
    client.close()
  }
}

/** Calls one operation of the running home. Refusal: home_offline, those of the operation. */
export async function askOperation(
  { environment }: Pick<CommandContext, 'environment'>,
  name: string,
  args: object,
): Promise<Result<unknown>> {
  const client = createLineClient(statePaths(environment).socket)
  try {
    return await client.operation(name, args)
  } finally {
    client.close()
  }
}

export function fail(
  { screen }: CommandContext,
  { reason }: Extract<Result<never>, { ok: false }>,
): ExitCode {
  screen.err(sentenceFor(reason))
  return 1
}

/** Prints why the command cannot continue, and returns the failure code. */
export function said({ screen }: CommandContext, words: string): ExitCode {
  screen.err(words)
  return 1
}

/** Waiting behaviour of a command: a spinner until `seconds` have passed. */
export function patienceOf(screen: Screen, seconds: number, attachment: Pick<Attachment, 'recover'>) {
  return {
    deadline: Date.now() + seconds * 1_000,
    onWait: (elapsedMs: number) => screen.progress(renderProgress(elapsedMs)),
    recover: attachment.recover,
  }
}

/** A card counts as an answer: it says what is pending. A failed task has an answer but exits as failed. */
export function printReport(
  { screen, environment }: CommandContext,
  report: TaskReport,
  json: boolean,
): ExitCode {
  const { approval, options, place } = report.task
  const line = place === 'edge' ? 'open' : 'private'
  keepShown(statePaths(environment).shownCard, line, approval === null ? null : { approval, options })
  const failed = report.task.state === 'failed'
  if (json) screen.out(JSON.stringify(report, null, 2))
  if (failed) screen.err(renderReply(report))
  else if (!json) screen.out(renderReply(report))
  if (json) return failed ? 1 : 0
  if (approval !== null) screen.err(renderHowToApprove({ approval, options }, place))
  screen.err(screen.dim(renderTrail(report)))
  return failed ? 1 : 0
}
