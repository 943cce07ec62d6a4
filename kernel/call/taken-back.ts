/**
 * Whether a write asks by taint alone (`asks: 'taint'` of a manifest): the owner asked for it, it can be taken back, and what it is
 * about was named by the owner or by its own tool. Must not decide on taint or destinations. Called by call-verdict.ts.
 */
import type { Provenance } from '../flow/labeled.ts'
import { kernelWords } from '../flow/provenance.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import type { CallInput } from '../pipeline/resolve.ts'
import { CONTACTS, OWNER_MESSAGE } from '../powers/effects.ts'

/** Origins of what the owner and the kernel say, beside the words of the owner's chats. */
const OWNERS: readonly string[] = [...kernelWords().taint.origins, OWNER_MESSAGE, CONTACTS]

/**
 * What others' tasks do is asked about in any case: it would be for them to say what is wanted back. So is a call for what another tool
 * answered: an id that stands in an issue or on a page names nothing that the owner saw of this tool (DESIGN §10).
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

/** From the owner's words, the kernel and answers of this tool alone. */
function isNamedByOwn({ tool }: CallInput['action'], { taint }: Provenance): boolean {
  const own = [...OWNERS, ...tool.actions.map(({ id }) => `tool:${id}`)]
  return (
    taint.level === 'clean' ||
    taint.origins.every((origin) => own.includes(origin) || origin.startsWith(ownWordsOrigin('')))
  )
}
