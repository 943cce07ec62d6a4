/** Delivers a notice to the first of the owner's chats that accepts it (F-18). Called by PrincipalObject. */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { type DeliverPorts, deliverNotice, type Notice } from '../../kernel/pipeline/deliver.ts'

/** Refusals: that of the chat tried at the end of the list; sink_unknown when the list is empty. */
export async function tellInFirst(
  powers: DeliverPorts,
  sinks: readonly string[],
  notice: Omit<Notice, 'sink'>,
): Promise<Result<true>> {
  let told: Result<true> = err('sink_unknown')
  for (const sink of sinks) {
    told = await deliverNotice(powers, { ...notice, sink, patience: 'once' })
    if (told.ok) return told
  }
  return told
}
