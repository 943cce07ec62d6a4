/**
 * Shows a card that a command has created, in full, and how to answer it (F-17). Must not answer it. Called by the
 * commands that create one.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import type { Link } from '../line/link.ts'
import { waitingOn } from './cards.ts'
import { terminalText } from './terminal-text.ts'

export async function showPut({ screen }: CommandContext, link: Link, id: string): Promise<Result<ExitCode>> {
  const waiting = await waitingOn(link)
  if (!waiting.ok) return waiting
  const view = waiting.value.find((candidate) => candidate.id === id)
  if (view === undefined) return err('approval_unknown')
  screen.out(terminalText(view.full).trimEnd())
  screen.err(`Nothing is allowed yet. To allow it: pfar approve ${id}   To refuse: pfar deny ${id}`)
  return ok(0)
}
