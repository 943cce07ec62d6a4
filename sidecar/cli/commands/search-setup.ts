/**
 * Sets up the search engine that the owner chose in `pfar init`: asks for the address of a SearXNG, or for a key without echo,
 * tests it with one search for a neutral word, and stores only settings that worked. Must not print a key, or take one from an
 * argument. Called by search-step.ts.
 */
import { createScopedHttp } from '../../../integrations/http/scoped-client.ts'
import type { Transport } from '../../../integrations/http/transport.ts'
import { isOwnAddress } from '../../../integrations/models/provider-settings.ts'
import {
  type EngineName,
  engineOf,
  originOf,
  type SearchSetting,
} from '../../../integrations/tools/search/engines.ts'
import { tryEngine } from '../../../integrations/tools/search/run.ts'
import { err, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { Credential } from '../../../kernel/tool/manifest.ts'
import { isSearchAddress } from '../../config/config-schema.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { checkValue } from '../../secrets/secret.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { type CommandContext, said } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { readyForSecrets } from './custody-question.ts'
import { hasSecret } from './mail-more.ts'
import { secretSentence, sendToService } from './secret-command.ts'

export interface EngineSetup {
  readonly engine: EngineName
  readonly asker: TerminalAsker
  readonly allowDevelopmentKey: boolean
}

/** Hidden input, and the transport to the engine. */
export interface SetupPowers {
  readonly read: (question: string) => Promise<Result<string>>
  readonly transport: () => Transport & { close(): Promise<void> }
}

const OF_TERMINAL: SetupPowers = { read: readValue, transport: () => createPinnedTransport() }

/** The setting that worked; null if none did: the problem has been printed, and nothing is stored. */
export async function setUpEngine(
  context: CommandContext,
  setup: EngineSetup,
  powers: SetupPowers = OF_TERMINAL,
): Promise<SearchSetting | null> {
  const { engine, asker } = setup
  const setting: SearchSetting = { engine, url: null }
  if (engine === 'searxng') {
    const url = (await asker.ask(prompt('init.search_where')))?.trim() ?? ''
    return ownEngine(context, { engine, url: url.replace(/\/+$/, '') }, powers)
  }
  const { key } = engineOf(setting)
  // A key that is stored is changed by `pfar secret rotate`.
  if (key === null || hasSecret(context, key.credential)) return setting
  const isTaken = await keyTaken(context, { ...setup, setting, credential: key.credential }, powers)
  return isTaken ? setting : null
}

async function ownEngine(
  context: CommandContext,
  setting: SearchSetting,
  powers: SetupPowers,
): Promise<SearchSetting | null> {
  if (setting.url === null || !isSearchAddress(setting.url)) {
    said(context, tell('init.search_address'))
    return null
  }
  const tried = await asked(context, { setting, credential: null }, powers)
  return tried.ok ? setting : refused(context, setting, tried.reason)
}

interface KeySetup extends Omit<EngineSetup, 'engine'> {
  readonly setting: SearchSetting
  readonly credential: string
}

async function keyTaken(
  context: CommandContext,
  { setting, asker, allowDevelopmentKey, credential: name }: KeySetup,
  powers: SetupPowers,
): Promise<boolean> {
  const ready = await readyForSecrets(context, { allowDevelopmentKey, asker })
  if (!ready.ok) return refused(context, setting, ready.reason) !== null
  context.screen.out(tell(`init.search_key_${setting.engine === 'kagi' ? 'kagi' : 'brave'}`))
  asker.letGo()
  const typed = await powers.read(prompt('init.search_key', { engine: setting.engine }))
  const value = typed.ok ? checkValue('token', typed.value) : typed
  if (!value.ok) return refused(context, setting, value.reason) !== null
  const credential: Credential = { scheme: 'bearer', value: value.value }
  const tried = await asked(context, { setting, credential }, powers)
  if (!tried.ok) return refused(context, setting, tried.reason) !== null
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name, value: value.value, kind: 'token', ...ready.value },
      ...{ tools: ['search'], actions: [], hosts: [new URL(originOf(setting)).host] },
    },
  })
  return stored.ok || refused(context, setting, stored.reason) !== null
}

interface Trial {
  readonly setting: SearchSetting
  readonly credential: Credential | null
}

/** One search, with the client and the host that later searches use. */
async function asked(
  { screen }: CommandContext,
  { setting, credential }: Trial,
  { transport: open }: SetupPowers,
): Promise<Result<null>> {
  const { origin, host } = new URL(originOf(setting))
  screen.out(tell('init.search_trying', { host }))
  const transport = open()
  const http = createScopedHttp({
    ...{ hosts: [host], transport, exemptOrigins: isOwnAddress(origin) ? [origin] : [] },
  })
  try {
    return await tryEngine(setting, { credential, http })
  } catch {
    return err('network_failed')
  } finally {
    await transport.close()
  }
}

function refused(context: CommandContext, { engine }: SearchSetting, reason: Refusal): null {
  const saying = `init.search_${reason.code}`
  said(context, isSaying(saying) ? tell(saying, { engine }) : secretSentence(reason))
  return null
}
