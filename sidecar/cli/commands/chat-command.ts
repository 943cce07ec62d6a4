/** `pfar chat`: a conversation over one line. Starts what is not running. Called by program.ts. */
import { ok } from '../../../kernel/flow/verdict.ts'
import { chat } from '../chat/chat.ts'
import { type CommandContext, type ExitCode, onLine } from '../command.ts'
import type { Line } from '../line/link.ts'

export async function chatCommand(context: CommandContext, line: Line): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (_link, attachment) => {
    const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true
    await chat({ attachment, screen: context.screen, input: process.stdin, output: process.stdout, terminal })
    return ok(0)
  })
}
