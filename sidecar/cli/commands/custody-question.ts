/**
 * Checks the custody of the master key before a key or password is typed. If the master key is stored unencrypted, offers to set
 * up a real custody at once. Must not store anything itself. Called by `pfar model add` and `pfar connect mail`.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ChosenCustody } from '../../keys/change-key.ts'
import { prompt } from '../../language/wording.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext } from '../command.ts'
import { checkCustody } from './secret-command.ts'

export const CUSTODIES: readonly ChosenCustody[] = ['keychain', 'passphrase', 'systemd']

/** Accepted in every supported language. */
const PLAIN = /^(?:plain|offen)$/i
interface Ready {
  /** The owner accepts that the master key is stored unencrypted. */
  readonly allowDevelopmentKey: boolean
}

/** Refusals: key_development where nobody can be asked or home runs, and those of the folder. */
export async function readyForSecrets(
  context: CommandContext,
  { allowDevelopmentKey, asker }: Ready & { readonly asker: TerminalAsker | null },
): Promise<Result<Ready>> {
  const ready = checkCustody(context, { allowDevelopmentKey })
  if (ready.ok) return ok({ allowDevelopmentKey })
  if (ready.reason.code !== 'key_development' || asker === null || process.stdin.isTTY !== true) return ready
  // The key cannot be changed while home runs.
  if ((await askSocket(context, { method: 'connectable', params: {} })).ok) return ready
  const answer = await asker.ask(prompt('key_setup.custody'))
  if (answer === null) return ready
  const typed = answer.trim().toLowerCase()
  if (PLAIN.test(typed)) return ok({ allowDevelopmentKey: true })
  const custody = typed === '' ? 'passphrase' : CUSTODIES.find((one) => one === typed)
  if (custody === undefined) return readyForSecrets(context, { allowDevelopmentKey, asker })
  asker.letGo()
  // Loaded on demand: it brings a database and a word list.
  const { keyCommand } = await import('./key-command.ts')
  const code = await keyCommand(context, { what: 'init', custody, json: false })
  return code === 0 ? ok({ allowDevelopmentKey: false }) : err('key_development')
}
