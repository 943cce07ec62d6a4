/**
 * `pfar connect google` and similar: guides the owner through creating an OAuth client, lets their browser grant the scopes, and
 * stores the lasting permission sealed. Must not print or keep a secret. Called by local/secret.ts.
 */
import type { OAuthScope, OAuthService } from '../../../integrations/tools/oauth-service.ts'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import type { Config } from '../../config/config.ts'
import { writeAccountSetting } from '../../config/config-edit.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { askConsent, type Granted, meaningOf } from '../../oauth/consent.ts'
import { endingWords } from '../../oauth/ending.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { grantText } from '../../secrets/secret.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { readyForSecrets } from './custody-question.ts'
import { openConfig } from './opened-config.ts'
import { secretSentence, sendToService } from './secret-command.ts'

export interface BrowserOptions {
  readonly allowDevelopmentKey: boolean
  readonly asker: TerminalAsker
}

export async function connectByBrowser(
  context: CommandContext,
  declared: OAuthService,
  { allowDevelopmentKey, asker }: BrowserOptions,
): Promise<ExitCode> {
  const { screen } = context
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  const service = emulated(declared, config)
  if ((await askSocket(context, { method: 'connectable', params: {} })).ok)
    return said(context, tell('consent_setup.home_runs'))
  const ready = await readyForSecrets(context, { allowDevelopmentKey, asker })
  if (!ready.ok) return said(context, secretSentence(ready.reason))
  const client = await clientOf(context, service, asker)
  if (client === null) return 1
  const granted = await grantedBy(context, { service, client, config: config, asker })
  if (granted === null) return 1
  const value = grantText({
    ...{ clientId: client.id, clientSecret: client.secret },
    refreshToken: granted.refreshToken,
  })
  const now = Date.now()
  const endsAt = granted.lifetime === null ? null : now + granted.lifetime
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name: service.service, value, kind: 'oauth', ...ready.value },
      ...{ tools: [], actions: [], hosts: [], ...(endsAt !== null && { endsAt }) },
    },
  })
  if (!stored.ok) return said(context, secretSentence(stored.reason))
  if (service.hasTable && !writeAccountSetting(paths.config, service.service, granted.account))
    return said(
      context,
      tell('consent_setup.by_hand', { lines: `[tools.${service.service}]\naccount = "${granted.account}"` }),
    )
  screen.out(`\n${tell('consent_setup.connected', { account: granted.account })}`)
  for (const scope of granted.scopes) screen.out(`  ${meaningOf(service, scope)}`)
  screen.out(tell('consent_setup.end', { page: service.consents }))
  if (endsAt !== null)
    screen.out(endingWords(service.service, { endsAt, now, timezone: config.owner.timezone }))
  screen.out(wordsFor(service, 'start'))
  return 0
}

interface Client {
  readonly id: string
  readonly secret: string
}

async function clientOf(
  context: CommandContext,
  service: OAuthService,
  asker: TerminalAsker,
): Promise<Client | null> {
  const steps = [wordsFor(service, 'client'), wordsFor(service, 'client_after')].filter(
    (words) => words !== '',
  )
  context.screen.out(`\n${steps.join('\n')}\n`)
  const id = (await asker.ask(prompt('consent_setup.client_id')))?.trim() ?? ''
  asker.letGo()
  if (id === '') return null
  const secret = await readValue(prompt('consent_setup.client_secret'))
  if (!/^[\x21-\x7e]{8,2048}$/.test(id) || !secret.ok || !/^[\x21-\x7e]{8,2048}$/.test(secret.value)) {
    said(context, tell('consent_setup.one_word'))
    return null
  }
  return { id, secret: secret.value }
}

interface Asking {
  readonly service: OAuthService
  readonly client: Client
  readonly config: Config
  readonly asker: TerminalAsker
}

/** Null if the permission was refused or nobody answered; the reason has been printed. */
async function grantedBy(
  context: CommandContext,
  { service, client, config, asker }: Asking,
): Promise<Granted | null> {
  const { screen } = context
  const transport = createPinnedTransport()
  try {
    const granted = await askConsent({
      ...{ service, client, transport, scopes: wanted(service, config) },
      exemptOrigins: config.exemptOrigins,
      show: (url) => screen.out(`\n${tell('consent_setup.open', { url })}`),
      pasted: () => pasted(asker),
    })
    asker.letGo()
    if (granted.ok) return granted.value
    said(context, sentenceOf(service, granted.reason))
    return null
  } finally {
    await transport.close()
  }
}

/** With a configured base address, all endpoints are on that host. */
function emulated(service: OAuthService, { google, services }: Config): OAuthService {
  const base = service.hasTable ? google.baseUrl : (services[service.service] ?? null)
  if (base === null) return service
  const at = (path: string): string => `${base}/oauth2/${path}`
  return {
    ...{ ...service, issuer: base, authorize: at('authorize'), token: at('token'), revoke: at('revoke') },
    account: { ...service.account, base },
  }
}

/** Omits the mail scope if mail has an account of its own. */
function wanted({ scopes }: OAuthService, { mail }: Config): readonly OAuthScope[] {
  return mail === null ? scopes : scopes.filter(({ tool }) => tool !== 'email')
}

/** Never resolves once the owner has ended the input. */
async function pasted({ ask }: TerminalAsker): Promise<string> {
  const said = await ask('> ')
  return said ?? new Promise<string>(() => undefined)
}

function sentenceOf({ title }: OAuthService, { code, facts }: Refusal): string {
  const why = code === 'credential_rejected' ? `rule_${String(facts['rule'])}` : code
  const saying = `consent_setup.fails_${why}`
  if (isSaying(saying)) return tell(saying, { title })
  return tell(code === 'credential_rejected' ? 'consent_setup.fails_rejected' : 'consent_setup.fails_else', {
    title,
  })
}

/** Empty if the service has no such words. */
function wordsFor({ service, redirect }: OAuthService, of: 'client' | 'client_after' | 'start'): string {
  const saying = `consent_setup.${service}_${of}`
  return isSaying(saying) ? tell(saying, { redirect: redirect ?? '' }) : ''
}
