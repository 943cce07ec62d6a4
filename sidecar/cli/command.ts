/** Context and result of every command. Must not know any particular command. Called by program.ts. */
import type { Result } from '../../kernel/flow/verdict.ts'
import { renderProgress } from './chat/render.ts'
import type { Screen } from './chat/screen.ts'
import { type AttachInput, type Attachment, attach } from './line/attach.ts'
import type { Line, Link } from './line/link.ts'
import type { Environment } from './state-paths.ts'
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

export interface OnLine {
  readonly line: Line
  readonly start: boolean
}

/** Runs `work` on a line and closes the line in any case. A refusal is printed as a sentence. */
export async function onLine(
  context: CommandContext,
  { line, start }: OnLine,
  work: (link: Link, attachment: Attachment) => Promise<Result<ExitCode>>,
): Promise<ExitCode> {
  const attachment = await context.attach({ line, start })
  if (!attachment.ok) return fail(context, attachment)
  try {
    const done = await work(attachment.value.link, attachment.value)
    return done.ok ? done.value : fail(context, done)
  } finally {
    await attachment.value.close()
  }
}

export function fail(
  { screen }: CommandContext,
  { reason }: Extract<Result<never>, { ok: false }>,
): ExitCode {
  screen.err(sentenceFor(reason))
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
