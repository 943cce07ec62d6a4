/**
 * Further mailboxes at the terminal: the name of each, the default sender, and the next entry of `config.toml`. Must not ask for
 * a password. Called by mail-command.ts.
 */
import { ACCOUNT_NAME } from '../../calendar/calendar-settings.ts'
import { loadConfig } from '../../config/config.ts'
import { tell } from '../../language/wording.ts'
import {
  accountNameOf,
  type MailConfig,
  mailSecret,
  type OwnMailbox,
  ownMailboxes,
} from '../../mail/mail-accounts.ts'
import { addMailbox, otherMailTable, writeMailKey } from '../../mail/mail-edit.ts'
import type { MailSettings } from '../../mail/mail-settings.ts'
import { openSecretFile } from '../../secrets/secret-file.ts'
import { listSecrets } from '../../secrets/secret-store.ts'
import { openStateFolder, stateFolderPath } from '../../store/state-folder.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode } from '../command.ts'
import { statePaths } from '../state-paths.ts'

/** Null if the name is invalid or taken. `typed`: name given with the command. */
export async function mailboxName(
  address: string,
  {
    typed,
    taken,
    asker,
  }: {
    readonly typed: string | undefined
    readonly taken: readonly string[]
    readonly asker: TerminalAsker | null
  },
): Promise<string | null> {
  const usual = accountNameOf(address, taken)
  const said = typed ?? (await asker?.ask(tell('mail_setup.ask_name', { address, usual }))) ?? ''
  const name = said.trim() === '' ? usual : plainName(said)
  return ACCOUNT_NAME.test(name) && !taken.includes(name) ? name : null
}

/** The form of the name that ids use. */
function plainName(said: string): string {
  const spelled = said.trim().toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  return spelled.replaceAll('ß', 'ss').replaceAll(/\s+/g, '-')
}

/** Reads only the names in the store. */
export function hasSecret({ environment }: CommandContext, name: string): boolean {
  const folder = openStateFolder(stateFolderPath(environment))
  const file = folder.ok ? openSecretFile(folder.value) : folder
  if (!file.ok) return false
  const isThere = listSecrets(file.value).some((one) => one.name === name)
  file.value.close()
  return isThere
}

/** Changes the name of the first mailbox, which is only a setting, and the default sender. */
export async function changeMailbox(
  context: CommandContext,
  { account, name, settings }: OwnMailbox,
  options: { readonly account?: string; readonly default?: boolean; readonly mailDefault: string | null },
): Promise<ExitCode> {
  const { screen, environment } = context
  const path = statePaths(environment).config
  const said = (isDone: boolean, words: string): ExitCode => {
    if (isDone) screen.out(words)
    else screen.err(tell('mail_setup.otherwise'))
    return isDone ? 0 : 1
  }
  if (options.account !== undefined && options.account !== name) {
    const others = ownMailboxes(mailIn(context)).filter((one) => one.name !== name)
    const taken = others.map((one) => one.name)
    const wanted = await mailboxName(settings.address, { typed: options.account, taken, asker: null })
    if (account !== null || wanted === null) {
      screen.err(
        account === null
          ? tell('mail_setup.name_help')
          : tell('mail_setup.name_in_ids', { name, secret: mailSecret(name) }),
      )
      return 1
    }
    const isNamed = writeMailKey(path, 'account', { value: wanted, replaces: settings.account ?? null })
    if (!isNamed || options.default !== true)
      return said(isNamed, tell('mail_setup.called_now', { address: settings.address, name: wanted }))
    return said(
      writeMailKey(path, 'default', { value: wanted, replaces: options.mailDefault }),
      tell('mail_setup.called_and_sends', { address: settings.address, name: wanted }),
    )
  }
  return said(
    options.default !== true || writeMailKey(path, 'default', { value: name, replaces: options.mailDefault }),
    tell('mail_setup.sends', { address: settings.address }),
  )
}

function mailIn({ environment }: CommandContext): MailConfig {
  const config = loadConfig(environment, statePaths(environment).root)
  return config.ok ? config.value : { mail: null, otherMail: [], mailDefault: null }
}

export async function keepOther(
  context: CommandContext,
  settings: MailSettings,
  isDefault: boolean,
): Promise<ExitCode> {
  const { screen, environment } = context
  const path = statePaths(environment).config
  const name = settings.account ?? ''
  const { mailDefault } = mailIn(context)
  if (!addMailbox(path, settings)) {
    screen.err(tell('mail_setup.by_hand', { lines: otherMailTable(settings) }))
    return 1
  }
  const isSet = !isDefault || writeMailKey(path, 'default', { value: name, replaces: mailDefault })
  if (!isSet) screen.err(tell('mail_setup.default_by_hand'))
  const boxes = ownMailboxes(mailIn(context))
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(tell('mail_setup.connected_as', { address: settings.address, name }))
  screen.out(
    tell('mail_setup.mailboxes', {
      all: boxes.map((one) => `${one.name} (${one.settings.address})`).join(', '),
    }),
  )
  const [first] = boxes
  if (first !== undefined && first.settings.account === undefined)
    screen.out(tell('mail_setup.name_first', { address: first.settings.address }))
  screen.out(tell(runs.ok ? 'mail_setup.start_again_named' : 'mail_setup.start_named', { name }))
  return 0
}
