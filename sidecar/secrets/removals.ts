/**
 * Deletes all secrets that home stores for a service after the owner has approved that (L-07), and revokes the permission at the
 * service where that is possible. The order is a note in the transaction of the approval, so that a crash loses none. Must not
 * ask the owner. Called through `CredentialPort.remove`, and at home's start.
 */

import { tell } from '../language/wording.ts'
import type { HomeNotes, Note } from '../store/home-notes.ts'
import type { SecretService } from './secret-service.ts'

export interface RemovalsInput {
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly secretService: Pick<SecretService, 'delete'>
  /** Vault names of the secrets that are stored for a service. */
  readonly storedFor: (service: string) => readonly string[]
  /** Name of the service as shown to the owner. */
  readonly titleOf: (service: string) => string
  /** Sends the words to the owner in this chat. */
  readonly notify: (words: string, sink: string) => void
  readonly fault: (part: string) => void
}

export interface Removals {
  remove(service: string, sink: string): void
  /** Resumes removals that a crash interrupted. */
  resume(): void
}

export function createRemovals(input: RemovalsInput): Removals {
  const { notes, fault } = input
  const waiting = (): Note<'removing'> => notes.read('removing') ?? []
  const without = (service: string): Note<'removing'> => waiting().filter((one) => one.service !== service)
  const removeAll = async (): Promise<void> => {
    for (const { service, sink } of waiting()) {
      const words = await removed(input, service)
      notes.write('removing', without(service))
      input.notify(words, sink)
    }
  }
  let removing: Promise<void> = Promise.resolve()
  // Runs after the transaction of the approval, which also writes the note.
  const soon = (): void => {
    setImmediate(() => {
      removing = removing.then(removeAll).catch(() => fault('deleting a credential'))
    })
  }
  return {
    remove(service, sink) {
      notes.write('removing', [...without(service), { service, sink }])
      soon()
    },
    resume: () => (waiting().length === 0 ? undefined : soon()),
  }
}

/** Returns the result in words. The stored secrets are deleted whatever the service answers. */
async function removed(
  { secretService, storedFor, titleOf }: RemovalsInput,
  service: string,
): Promise<string> {
  const title = titleOf(service)
  const ended: (boolean | undefined)[] = []
  for (const name of storedFor(service)) {
    const asked = await secretService.delete({ name })
    const check = asked.ok ? asked.value.check : undefined
    const gone = check === undefined ? asked : await secretService.delete({ name, check })
    if (!gone.ok) return tell('secret_setup.not_removed', { title, service })
    ended.push(gone.value.revoked)
  }
  const isEnded = ended.length > 0 && ended.every((one) => one === true)
  const there = tell(isEnded ? 'secret_setup.removed_there' : 'secret_setup.removed_here', { title })
  return `${tell('secret_setup.removed', { title, service })} ${there}`
}
