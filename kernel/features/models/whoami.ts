/**
 * `whoami`: asks every model of a place for its name, through the same boundary as any call (N-28). Must not show
 * more of an answer than a name can hold, because it passes no output guard. Called by shell.ts.
 */

import { type AskNamedPorts, askName } from '../../model-call/model-call.ts'
import type { Models } from '../../powers/ports.ts'
import { nameFrom } from '../../self/name.ts'
import { nameIn } from '../../self/snapshot.ts'
import type { NameCheck } from './port.ts'

/** In order of preference, including the last fallback. */
export async function whoAmI(powers: AskNamedPorts & Models): Promise<readonly NameCheck[]> {
  const expected = nameIn(powers.self.current().sections)
  const checks: NameCheck[] = []
  for (const provider of powers.models) {
    const { id: model, locality } = provider.reader
    const reply = await askName(powers, provider)
    const said = reply.ok ? reply.value.text.trim() : ''
    const answer = said === '' ? null : nameFrom(said)
    // A trailing full stop is tolerated; any other difference fails.
    checks.push({ model, locality, expected, answer, passed: said.replace(/\.$/, '') === expected })
  }
  return checks
}
