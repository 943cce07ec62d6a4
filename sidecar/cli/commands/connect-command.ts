/**
 * `pfar connect [service]` (L-11, L-12, L-15): reads a credential without echo or from stdin; home tests it with its
 * service before storing it. Without a name it lists the services. Home must run, because only home can test a
 * credential. Must not print the value. Called by program.ts.
 */
import * as z from 'zod/mini'
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { createLineClient } from '../line/line-client.ts'
import { readValue } from '../read-value.ts'
import { statePaths } from '../state-paths.ts'

export interface ConnectOptions {
  readonly service: string
  readonly allowDevelopmentKey: boolean
}

/** Milliseconds. Includes a request to the service, perhaps by two of its tools. */
const TRY_TIMEOUT_MS = 90_000

/** Instructions for the command line, where the words for a chat do not fit. */
const SENTENCES: Partial<Readonly<Record<ReasonCode, string>>> = {
  key_development:
    'The master key is still the development key, which lies in plain beside the data: run `pfar key init` first. To try it out anyway: --allow-development-key.',
  credential_rejected: 'The service did not accept that. Nothing was stored.',
  credential_mismatch:
    'A credential is stored for that service already. `pfar secret rotate` gives it a new one; `pfar secret delete` lets go of it.',
  field_malformed:
    'That value cannot be used. It takes 8 to 8192 characters; a token is one word without spaces.',
  tool_unknown: 'Nothing at home asks for that. Say /connect in a chat to see what can be connected.',
  frame_malformed: 'That name cannot be used. It takes lower-case letters, digits and . _ - /',
  home_offline: 'Home does not run, and nobody else can try a credential. Start it with `npm start`.',
}

export async function connectCommand(context: CommandContext, options: ConnectOptions): Promise<ExitCode> {
  const { screen } = context
  const connected = await connect(context, options)
  if (connected.ok)
    screen.out(
      z.safeParse(unfinished, connected.value).success ? GOES_ON : `${options.service} is connected.`,
    )
  else screen.err(SENTENCES[connected.reason.code] ?? refusalDetail(connected.reason))
  return connected.ok ? 0 : 1
}

const connectable = z.object({ services: z.array(z.object({ service: z.string(), title: z.string() })) })

/** One line per service, with the command that connects it. */
export async function listConnectable({ screen, environment }: CommandContext): Promise<ExitCode> {
  const client = createLineClient(statePaths(environment).socket)
  try {
    const answer = await client.method('connectable', {})
    if (!answer.ok) {
      screen.err(SENTENCES[answer.reason.code] ?? refusalDetail(answer.reason))
      return 1
    }
    const { services } = z.parse(connectable, answer.value)
    if (services.length === 0) screen.out('Nothing that is installed needs a credential.')
    for (const { service, title } of services) screen.out(`pfar connect ${service}  ${title}`)
    return 0
  } finally {
    client.close()
  }
}

const unfinished = z.object({ goesOn: z.literal(true) })

const GOES_ON =
  'The service took that, and it lies sealed in your home. What is left to do is said in your chat at home.'

async function connect(
  { environment }: CommandContext,
  { service, allowDevelopmentKey }: ConnectOptions,
): Promise<Result<unknown>> {
  const value = await readValue(`Credential for ${service}: `)
  if (!value.ok) return value
  const client = createLineClient(statePaths(environment).socket)
  try {
    const params = { service, value: value.value, allowDevelopmentKey }
    return await client.method('connect', params, TRY_TIMEOUT_MS)
  } finally {
    client.close()
  }
}
