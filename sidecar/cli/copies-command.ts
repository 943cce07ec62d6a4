/**
 * `pfar copies now`: home sends a copy of itself to the edge at once, such as before a journey (DESIGN §6). Must not see a
 * key: home makes the copy. Called by recover-program.ts.
 */
import * as z from 'zod/mini'
import { wordsFor } from '../../kernel/wording/words.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { createSocketClient } from './socket-client.ts'
import { statePaths } from './state-paths.ts'

const made = z.object({ number: z.int() })

export async function copiesNow(context: CommandContext): Promise<ExitCode> {
  const { screen, environment } = context
  const client = createSocketClient(statePaths(environment).socket)
  try {
    const answer = await client.request('copy', {})
    if (!answer.ok && answer.reason.code === 'home_offline') return fail(context, answer)
    if (!answer.ok) screen.err(sentenceOf(answer.reason.code))
    if (!answer.ok) return 1
    screen.out(`The edge has a copy of home: number ${made.parse(answer.value).number}.`)
    return 0
  } finally {
    client.close()
  }
}

function sentenceOf(code: Parameters<typeof wordsFor>[0]): string {
  if (code === 'tool_unavailable')
    return 'No copies are made: `pfar status` says why. They take an edge, and a master key with a recovery phrase.'
  if (code === 'storage_full')
    return 'There is no room left at the edge for another copy. The one before it stays.'
  if (code === 'field_too_large')
    return 'Home is too large for a copy at the edge (200 MB). Make backups: `pfar backup init`.'
  return `That did not work (${code.replaceAll('_', ' ')}). ${wordsFor(code)}`
}
