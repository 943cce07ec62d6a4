/**
 * `pfar identities` with `link` and `unlink`: which two accounts are one person's (F-15, F-16, E-21). Must not link anything:
 * both say a code, and the card wants a yes of its own. Called by identities-program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { formatPrincipalId } from '../../kernel/task/principal-id.ts'
import { newMessage } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'
import { renderIdentities, renderStarted } from './render-identities.ts'

interface Options {
  readonly line: Line
  readonly json: boolean
}

export async function identitiesCommand(context: CommandContext, { line, json }: Options): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await link.identities()
    if (!found.ok) return found
    context.screen.out(json ? JSON.stringify(found.value, null, 2) : renderIdentities(found.value))
    return ok(0)
  })
}

export async function joinCommand(
  context: CommandContext,
  { line, json, one, other }: Options & { readonly one: string; readonly other: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const put = await link.join({
      one: principalFrom(one),
      other: principalFrom(other),
      message: newMessage(),
    })
    if (!put.ok) return put
    context.screen.out(json ? JSON.stringify(put.value, null, 2) : renderStarted(put.value, Date.now()))
    return ok(0)
  })
}

export async function partCommand(
  context: CommandContext,
  { line, which }: { readonly line: Line; readonly which: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const parted = await link.part(which)
    if (!parted.ok) return parted
    if (!parted.value.wasLive) context.screen.out('Given up. Nothing was linked.')
    else {
      context.screen.out('Unlinked. From now on neither sees what the other says.')
      context.screen.out('What was shown to either until now cannot be recalled.')
    }
    return ok(0)
  })
}

/** A principal as one types it: `owner`, `telegram:12345`, or its canonical id without or with `principal:`. */
export function principalFrom(typed: string): string {
  const parts = typed.replace(/^principal:/, '').split(':')
  const [adapter = '', user = ''] = parts
  // Of the other kinds two parts are the whole of an id.
  const isPerson = parts.length === 2 && !['whatsapp', 'webhook', 'cron'].includes(adapter)
  return isPerson ? formatPrincipalId({ kind: 'peer', adapter, user }) : `principal:${parts.join(':')}`
}
