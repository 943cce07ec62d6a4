/**
 * Decides whether a write that can be undone asks only because of its taint (`asks:
 * 'taint'` of a manifest): the owner requested it, and its target was named by the owner or
 * by the same tool. Must not decide on taint or destinations. Called by call-verdict.ts.
 */
import type { Provenance } from '../flow/labeled.ts'
import { kernelWords } from '../flow/provenance.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { CONTACTS, OWNER_MESSAGE } from '../powers/effects.ts'
import type { CallInput } from './resolve.ts'

/** Origins of words of the owner and the kernel, besides the owner's chats. */
const OWNERS: readonly string[] = [...kernelWords().taint.origins, OWNER_MESSAGE, CONTACTS]

/**
 * Tasks of other people always ask: only the owner could undo the write. So does a target from another tool:
 * an id in an issue or on a page is none that the owner saw in this tool (DESIGN §10).
 */
export function canBeTakenBack({
  template,
  action,
  call,
}: Pick<CallInput, 'template' | 'action' | 'call'>): boolean {
  return (
    action.asks === 'taint' &&
    template.principalClass === 'owner' &&
    call.args.every(({ value }) => isNamedByOwn(action, value))
  )
}

/** Whether the value comes only from the owner, the kernel and results of this tool. */
function isNamedByOwn({ tool }: CallInput['action'], { taint }: Provenance): boolean {
  const own = [...OWNERS, ...tool.actions.map(({ id }) => `tool:${id}`)]
  return (
    taint.level === 'clean' ||
    taint.origins.every((origin) => own.includes(origin) || origin.startsWith(ownWordsOrigin('')))
  )
}
