/**
 * Combines the ownership map and a file's header into mode, attachment and warnings (O-14 – O-18). Must not fail: whatever the
 * header says, the file gets a mode, and an invalid mode loads nothing. Called by file.ts.
 */
import { type Header, parseHeader } from './header.ts'
import { type Attachment, type Mode, parseMode } from './mode.ts'
import { ownershipOf } from './ownership.ts'

/** Warnings for the owner. Codes only, without content. */
export type Warning = 'mode_invalid' | 'mode_fixed' | 'header_missing' | 'header_strange' | 'attaches_never'

export interface Activation {
  readonly mode: Mode
  readonly attach: Attachment
  readonly warnings: readonly Warning[]
}

export function activationOf(name: string, text: string): Activation {
  const { kind, mode: usual, attach: usualAttach } = ownershipOf(name)
  const { header } = parseHeader(text)
  if (header === null) return { mode: usual, attach: usualAttach, warnings: ['header_missing'] }
  const strange: readonly Warning[] = header.strange > 0 ? ['header_strange'] : []
  // A core file always loads: an error in its header must not remove the rules from a prompt (O-01).
  if (kind === 'core') {
    const differs = header.mode !== null && header.mode !== usual
    return { mode: usual, attach: usualAttach, warnings: [...strange, ...(differs ? FIXED : [])] }
  }
  const mode = header.mode === null ? usual : parseMode(header.mode)
  if (mode === null) return { mode: 'manual', attach: usualAttach, warnings: [...strange, 'mode_invalid'] }
  const attach = attachmentOf(header, usualAttach)
  const idle = mode === 'auto_attached' && isEmpty(attach)
  return { mode, attach, warnings: [...strange, ...(idle ? IDLE : [])] }
}

const FIXED: readonly Warning[] = ['mode_fixed']
const IDLE: readonly Warning[] = ['attaches_never']

/** Adds the header's values to the map's, and cannot remove those of the map. */
function attachmentOf({ tools, intents }: Header, usual: Attachment): Attachment {
  return { ...usual, tools: [...usual.tools, ...tools], intents: [...usual.intents, ...intents] }
}

function isEmpty({ tools, intents, writes }: Attachment): boolean {
  return tools.length === 0 && intents.length === 0 && !writes
}
