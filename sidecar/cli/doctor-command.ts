/**
 * `pfar doctor`: what of this installation works, what does not, and what to do about it. Looks at the machine itself, then
 * asks home for its models, and the edge whether it answers, and for its own. Must not change anything, and prints names, numbers and our own
 * sentences alone. Called by program.ts.
 */
import { totalmem } from 'node:os'
import { allowed, type Result } from '../../kernel/flow/verdict.ts'
import { bad, type Finding, note, ok } from '../doctor/finding.ts'
import { lookAtMachine } from '../doctor/machine-look.ts'
import { edgeModelFindings, modelFindings } from '../doctor/model-words.ts'
import type { CommandContext, ExitCode } from './command.ts'
import type { Link } from './link.ts'
import { statePaths } from './state-paths.ts'
import { terminalLine } from './terminal-text.ts'
import { sentenceFor } from './words.ts'

export interface DoctorOptions {
  readonly json: boolean
  /** Origin of an Ollama on this machine; without it, as it is set up. */
  readonly ollama?: string
}

/** Failed where something is bad. JSON: the findings. */
export async function doctorCommand(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const { environment, screen } = context
  const machine = await lookAtMachine(statePaths(environment).root, environment)
  const findings = [
    ...machine,
    ...(await homeFindings(context, options.ollama ?? null)),
    ...(await edgeFindings(context)),
  ]
  if (options.json) screen.out(JSON.stringify(findings, null, 2))
  else for (const finding of findings) screen.out(lineOf(finding))
  return findings.some(({ state }) => state === 'bad') ? 1 : 0
}

const MARKS = Object.freeze({ ok: 'ok   ', note: '  -  ', bad: 'BAD  ' })
/** UTF-16 units of what was looked at, so that the sentences stand below each other. */
const PART_WIDTH = 22

function lineOf({ part, state, says }: Finding): string {
  return `${MARKS[state]}${terminalLine(part).padEnd(PART_WIDTH)} ${terminalLine(says)}`
}

async function homeFindings(context: CommandContext, ollama: string | null): Promise<readonly Finding[]> {
  const memory = totalmem()
  const look = await onLink(context, 'private', (link) => link.doctor(ollama))
  if (!look.ok) return [bad('home', sentenceFor(look.reason))]
  return [ok('home', 'It runs.'), ...modelFindings(look.value, memory)]
}

/** An edge is no duty: without one, home works alone. */
async function edgeFindings(context: CommandContext): Promise<readonly Finding[]> {
  const status = await onLink(context, 'open', (link) => link.status())
  if (!status.ok) return [note('edge', `It does not answer: ${sentenceFor(status.reason)}`)]
  const there = ok('edge', `It answers at ${String(status.value['url'] ?? 'its address')}.`)
  // Each is asked its name there, and one that home lends is asked over the tunnel, as a task of the edge would ask it.
  const asked = await onLink(context, 'open', (link) => link.whoAmI())
  return [
    there,
    ...(asked.ok ? edgeModelFindings(asked.value) : [note('edge models', sentenceFor(asked.reason))]),
  ]
}

async function onLink<T>(
  { attach }: CommandContext,
  line: 'private' | 'open',
  ask: (link: Link) => Promise<Result<T>>,
): Promise<Result<T>> {
  const attachment = await attach({ line, start: line === 'private' })
  if (!attachment.ok) return attachment
  try {
    const answer = await ask(attachment.value.link)
    return answer.ok ? allowed(answer.value) : answer
  } finally {
    await attachment.value.close()
  }
}
