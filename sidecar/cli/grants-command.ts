/**
 * `pfar grants` with `revoke` and `freebusy`: what is allowed in advance. Must not allow anything: a grant is put on a card
 * and wants a yes of its own. Called by grants-program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { newMessage, showPut } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'
import { renderGrants } from './render-grants.ts'

export interface FreeBusyOptions {
  readonly template: string
  readonly daysAhead: number
  readonly days: number
  readonly perDay: number
}

/** Free or busy, and when: nothing that says what a person does. */
const FREE_BUSY = {
  action: 'calendar.freebusy',
  fields: ['slots[].busy', 'slots[].from', 'slots[].to'],
} as const

export async function grantsCommand(
  context: CommandContext,
  { line, json }: { readonly line: Line; readonly json: boolean },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await link.grants()
    if (!found.ok) return found
    context.screen.out(json ? JSON.stringify(found.value, null, 2) : renderGrants(found.value))
    return ok(0)
  })
}

export async function revokeCommand(
  context: CommandContext,
  { line, grant }: { readonly line: Line; readonly grant: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const revoked = await link.revoke(grant)
    if (!revoked.ok) return revoked
    context.screen.out('Taken back. From now on I ask again.')
    return ok(0)
  })
}

export async function freeBusyCommand(
  context: CommandContext,
  { line, ...terms }: FreeBusyOptions & { readonly line: Line },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const put = await link.allow({ ...FREE_BUSY, ...terms, message: newMessage() })
    return put.ok ? showPut(context, link, put.value.approval) : put
  })
}
