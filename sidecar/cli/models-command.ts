/**
 * `pfar models` with `acknowledge` and `revoke`: which models there are, and whether those of other companies may read
 * private data. Must not allow anything: that is put on a card and wants a yes of its own. Called by models-program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { newMessage, showPut } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'
import { renderModels } from './render-models.ts'

export async function modelsCommand(
  context: CommandContext,
  { line, json }: { readonly line: Line; readonly json: boolean },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await link.models.list()
    if (!found.ok) return found
    context.screen.out(json ? JSON.stringify(found.value, null, 2) : renderModels(found.value))
    return ok(0)
  })
}

export async function acknowledgeCommand(
  context: CommandContext,
  { line, template }: { readonly line: Line; readonly template: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const put = await link.models.acknowledge({ template, message: newMessage() })
    return put.ok ? showPut(context, link, put.value.approval) : put
  })
}

export async function unacknowledgeCommand(
  context: CommandContext,
  { line, template }: { readonly line: Line; readonly template: string },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const revoked = await link.models.revoke(template)
    if (!revoked.ok) return revoked
    context.screen.out('Taken back. From the next call on, only models at home read what is private there.')
    return ok(0)
  })
}
