/** `pfar status`: shows what runs for this state folder. Must not start anything. Called by program.ts. */
import { err } from '../../../kernel/flow/verdict.ts'
import { renderStatus } from '../chat/render.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import type { Line, PlaceStatus } from '../line/link.ts'

const LINES: readonly Line[] = ['private', 'open']

/** Fails if neither place answers. JSON: {running, home, edge}, null for a place that does not answer. */
export async function statusCommand(context: CommandContext, json: boolean): Promise<ExitCode> {
  const [home, edge] = await Promise.all(LINES.map((line) => look(context, line)))
  const running = Boolean(home ?? edge)
  const { screen } = context
  if (json) screen.out(JSON.stringify({ running, home: home ?? null, edge: edge ?? null }, null, 2))
  else for (const place of [home, edge]) if (place) screen.out(renderStatus(place))
  return running ? 0 : fail(context, err('home_offline'))
}

async function look(context: CommandContext, line: Line): Promise<PlaceStatus | null> {
  const attachment = await context.attach({ line, start: false })
  if (!attachment.ok) return null
  try {
    const status = await attachment.value.link.status()
    return status.ok ? status.value : null
  } finally {
    await attachment.value.close()
  }
}
