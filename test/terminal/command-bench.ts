/** Test context for commands of `pfar`: a scripted line, and everything that was printed. */
import { ok } from '../../kernel/flow/verdict.ts'
import type { CommandContext } from '../../sidecar/cli/command.ts'
import type { AttachInput } from '../../sidecar/cli/line/attach.ts'
import { type Script, scriptedLink } from './scripted-link.ts'

export function bench(script: Script = {}) {
  const out: string[] = []
  const err: string[] = []
  const attached: Omit<AttachInput, 'environment'>[] = []
  const link = scriptedLink(script)
  let closed = 0
  const context: CommandContext = {
    screen: {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      progress: () => undefined,
      dim: (text) => text,
    },
    environment: {},
    attach: async (input) => {
      attached.push(input)
      return ok({
        link,
        isBorrowed: () => false,
        recover: async () => ok(true as const),
        close: async () => {
          closed += 1
        },
      })
    },
  }
  return { context, out, err, attached, link, closed: () => closed }
}
