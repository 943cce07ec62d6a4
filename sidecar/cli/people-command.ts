/**
 * `pfar people` with `invite`, `show` and `revoke`: who else may have something (B-04). Must not pair anybody: an invitation is put
 * on a card that wants a yes of its own, and then somebody says its code. Called by people-program.ts.
 */
import { err, ok } from '../../kernel/flow/verdict.ts'
import { newMessage, showPut } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'
import { renderInvited, renderPeople, renderPerson } from './render-people.ts'

interface Options {
  readonly line: Line
  readonly json: boolean
}

export interface InviteOptions extends Options {
  readonly name: string
  readonly templates: readonly string[]
  readonly hours: number
  readonly days: number
}

export async function peopleCommand(context: CommandContext, { line, json }: Options): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await link.people.list()
    if (!found.ok) return found
    context.screen.out(json ? JSON.stringify(found.value, null, 2) : renderPeople(found.value))
    return ok(0)
  })
}

export async function inviteCommand(
  context: CommandContext,
  { line, json, ...asked }: InviteOptions,
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const put = await link.people.invite({ ...asked, message: newMessage() })
    if (!put.ok) return put
    context.screen.out(json ? JSON.stringify(put.value, null, 2) : renderInvited(put.value, Date.now()))
    return json ? ok(0) : showPut(context, link, put.value.approval)
  })
}

export async function showPersonCommand(
  context: CommandContext,
  { line, json, which }: Options & { readonly which: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await link.people.list()
    if (!found.ok) return found
    const person = found.value.find(({ id }) => id === which)
    if (person === undefined) return err('agreement_unknown')
    context.screen.out(json ? JSON.stringify(person, null, 2) : renderPerson(person))
    return ok(0)
  })
}

export async function dismissCommand(
  context: CommandContext,
  { line, which }: { readonly line: Line; readonly which: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const gone = await link.people.revoke(which)
    if (!gone.ok) return gone
    context.screen.out(
      gone.value.wasLive
        ? 'Taken back. From the next message on that person is a stranger; what was said cannot be recalled.'
        : 'Taken back. The code is worth nothing.',
    )
    return ok(0)
  })
}
