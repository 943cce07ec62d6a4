/**
 * `pfar connect google`: leads through making an OAuth client, has the owner's browser allow what is needed, and stores the lasting permission
 * sealed. Must not print or keep a secret. Called by local/secret.ts.
 */
import type { OAuthScope, OAuthService } from '../../../integrations/tools/oauth-service.ts'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import type { Config } from '../../config/config.ts'
import { writeAccountSetting } from '../../config/config-edit.ts'
import { askConsent, type Granted } from '../../oauth/consent.ts'
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

const RUNS =
  'Home is running, and reads its accounts when it starts. Stop it first (Ctrl-C where `npm start` runs), then say this again.'

const REJECTED: Readonly<Record<string, string>> = {
  client: 'did not take the client: look at its ID and its secret, and that its type is "Desktop app".',
  code: 'did not take the answer of your browser any more. Say this again.',
  state: 'sent an answer that belongs to no request of mine. Say this again.',
  lasting: 'gave no lasting permission. Take the old one away there, and say this again.',
  scope: 'allowed nothing of what was asked for. Leave at least one box ticked.',
  account: 'did not say whose account that is.',
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
  if ((await askSocket(context, { method: 'connectable', params: {} })).ok) return said(context, RUNS)
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
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name: service.service, value, kind: 'oauth', ...ready.value },
      ...{ tools: [], actions: [], hosts: [] },
    },
  })
  if (!stored.ok) return said(context, secretSentence(stored.reason))
  if (!writeAccountSetting(paths.config, service.service, granted.account))
    return said(
      context,
      `The permission lies sealed in your home. Put this into config.toml:\n[tools.${service.service}]\naccount = "${granted.account}"`,
    )
  screen.out(`\nConnected: ${granted.account}. I may:`)
  for (const { means } of granted.scopes) screen.out(`  ${means}`)
  screen.out(`To end it: ${service.consents}`)
  screen.out('Start it with `npm start`, and ask: "what is on my calendar tomorrow?"')
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
  context.screen.out(`\n${service.client.join('\n')}\n`)
  const id = (await asker.ask('Client ID > '))?.trim() ?? ''
  asker.letGo()
  if (id === '') return null
  const secret = await readValue('Client secret: ')
  if (!/^[\x21-\x7e]{8,2048}$/.test(id) || !secret.ok || !/^[\x21-\x7e]{8,2048}$/.test(secret.value)) {
    said(context, 'An ID and a secret are one word each, of eight characters or more. Nothing was stored.')
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

/** Null: refused, or nobody came back; that has been printed. */
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
      show: (url) =>
        screen.out(
          `\nOpen this in your browser:\n\n${url}\n\nA browser on another machine ends at a page that it cannot show: then copy its address to here.`,
        ),
      pasted: () => pasted(asker),
    })
    asker.letGo()
    if (granted.ok) return granted.value
    said(context, `${service.title} ${sentenceOf(granted.reason)} Nothing was stored.`)
    return null
  } finally {
    await transport.close()
  }
}

/** At a configured base address everything is on one host. */
function emulated(service: OAuthService, { google: { baseUrl: base } }: Config): OAuthService {
  if (base === null) return service
  const at = (path: string): string => `${base}/oauth2/${path}`
  return {
    ...{ ...service, issuer: base, authorize: at('authorize'), token: at('token'), revoke: at('revoke') },
    account: { ...service.account, base },
  }
}

/** Mail that has an account of its own is not asked for twice. */
function wanted({ scopes }: OAuthService, { mail }: Config): readonly OAuthScope[] {
  return mail === null ? scopes : scopes.filter(({ tool }) => tool !== 'email')
}

/** Never, once the owner has ended the input. */
async function pasted({ ask }: TerminalAsker): Promise<string> {
  const said = await ask('> ')
  return said ?? new Promise<string>(() => undefined)
}

function sentenceOf({ code, facts }: Refusal): string {
  if (code === 'approval_denied') return 'says that you allowed nothing.'
  if (code === 'response_timeout') return 'did not send your browser back within ten minutes.'
  if (code === 'credential_rejected') return REJECTED[String(facts['rule'])] ?? 'refused.'
  return 'cannot be reached, or answers with an error. Try again later.'
}
