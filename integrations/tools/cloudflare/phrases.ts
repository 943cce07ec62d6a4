/** Phrases of requests about Cloudflare, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/cloudflare'
import { type Phrases, words } from '../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../undo-words.ts'

function step(tool: string, args: { readonly [name: string]: string | boolean }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

const NAME = '(?:[A-Za-z0-9_*][A-Za-z0-9_-]{0,62}\\.){1,10}[A-Za-z][A-Za-z0-9-]{1,62}'

/** Creating, removing and restoring a record. */
const MAKING: Phrases['asks'] = [
  {
    addressed: true,
    says: {
      en: [
        '<make> (a|a new|another|the) [new] (DNS record|DNS entry|record|A record|AAAA record|CNAME record|CNAME) (for|of|on) {host} (to|with|pointing to|that points to|that says|saying) {value} [<at_it>]',
        '<make> {host} (as a|as an) (DNS record|A record|AAAA record|CNAME) (to|with|pointing to) {value} [<at_it>]',
      ],
      de: [
        '(leg|lege) [bitte] (einen|einen neuen) DNS-Eintrag an für {host} (auf|mit) {value}',
        '(leg|lege) [bitte] für {host} (einen|einen neuen) DNS-Eintrag (auf|mit) {value} an',
        '(leg|lege) [bitte] (einen|einen neuen) DNS-Eintrag für {host} (auf|mit) {value} an',
      ],
    },
    plan: step('cloudflare.dns_create', { name: '{host}', to: '{value}' }),
  },
  {
    addressed: true,
    says: {
      en: [
        '<make> (a|a new|another|the) [new] (proxied DNS record|proxied record) (for|of|on) {host} (to|with|pointing to) {value} [<at_it>]',
        '<make> (a|a new|another|the) [new] (DNS record|DNS entry|record) (for|of|on) {host} (to|with|pointing to) {value} (through Cloudflare|proxied|with the proxy on)',
      ],
      de: [
        '(leg|lege) [bitte] (einen|einen neuen) DNS-Eintrag an für {host} (auf|mit) {value} über Cloudflare',
      ],
    },
    plan: step('cloudflare.dns_create', { name: '{host}', to: '{value}', proxied: true }),
  },
  {
    addressed: true,
    says: {
      en: [
        '<make> (a|a new|another|the) [new] (TXT record|TXT entry|TXT) (for|of|on) {host} (with|saying|that says|to) [the text] {topic}',
      ],
      de: ['(leg|lege) [bitte] (einen|einen neuen) TXT-Eintrag an für {host} mit [dem text] {topic}'],
    },
    plan: step('cloudflare.dns_create', { name: '{host}', to: '{topic}', type: 'TXT' }),
  },
  {
    addressed: true,
    says: {
      en: [
        '(delete|remove|drop) [the|my] (DNS record|DNS entry|DNS) (of|for|on) {host} [<at_it>]',
        '(delete|remove|drop) [the|my] {host} (DNS record|DNS entry|DNS) [<at_it>]',
      ],
      de: ['(lösche|lösch|entferne) [den] (DNS-Eintrag|DNS Eintrag) (von|für) {host}'],
    },
    plan: step('cloudflare.dns_delete', { name: '{host}' }),
  },
  {
    addressed: true,
    says: {
      en: ['(delete|remove|drop) [the|my] {rtype} (record|entry) (of|for|on) {host} [<at_it>]'],
      de: ['(lösche|lösch|entferne) [den] {rtype} Eintrag (von|für) {host}'],
    },
    plan: step('cloudflare.dns_delete', { name: '{host}', type: '{rtype}' }),
  },
  {
    says: {
      en: [
        UNDO,
        '(bring|put) (it|that|(the|that) (record|DNS record|DNS entry)) back',
        '(restore|recreate) (it|that|(the|that) (record|DNS record|DNS entry))',
      ],
      de: [UNDO_GERMAN, '(stell|stelle|hol|hole) (den eintrag|den DNS-Eintrag) (wieder her|zurück)'],
    },
    back: {
      ...{ of: ['cloudflare.dns_delete'], by: 'cloudflare.dns_put_back' },
      ...{ needs: ['mark'], unknown: 'nothing_removed' },
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'cloudflare.dns_put_back' },
        args: {
          ...{ name: '{back.name}', to: '{back.content}', type: '{back.kind}' },
          ...{ proxied: '{back.proxied}', ttl: '{back.ttl}', mark: '{back.mark}' },
        },
      },
    ],
  },
]

export const CLOUDFLARE_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    host: { pattern: NAME, example: 'www.example.com' },
    value: { pattern: '[A-Za-z0-9_*][A-Za-z0-9:._-]{1,252}', example: '203.0.113.7' },
    rtype: { pattern: '(?:AAAA|CNAME|TXT|MX|SRV|CAA|A)', example: 'CNAME' },
    worker: { pattern: '[A-Za-z0-9][A-Za-z0-9_-]{0,62}', example: 'my-site' },
  },
  lists: {
    en: {
      look: words('show / show me / list / list me / get / get me / check / what are / which are / look at'),
      zones: words('zones / domains / zone / sites'),
      records: words('DNS records / DNS record / DNS entries / DNS / name records'),
      at_it: words('at Cloudflare / on Cloudflare / in Cloudflare / with Cloudflare'),
      tunnel: words(
        'Cloudflare tunnel / Cloudflare tunnels / cloudflared / tunnel at Cloudflare / tunnels at Cloudflare',
      ),
      make: words('add / create / make / set up / set'),
      up: words('up / down / running / healthy / connected'),
    },
    de: {
      look: words('zeig / zeige / zeig mir / zeige mir / liste'),
      records: words('DNS-Einträge / DNS Einträge / DNS'),
      at_it: words('bei Cloudflare / auf Cloudflare / in Cloudflare'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [my|the|all] (Cloudflare <zones>|<zones> <at_it>)',
          '(which|what) <zones> (do I have|have I got|are there) <at_it>',
        ],
        de: [
          '(welche|was für) (Domains|Zonen) habe ich <at_it>',
          '<look> [meine] (Cloudflare-Domains|Domains <at_it>)',
        ],
      },
      plan: step('cloudflare.zones', {}),
    },
    {
      addressed: true,
      says: {
        en: [
          '[<look>] [my|the|all] <records> (of|for|from|in|on) {host} [<at_it>]',
          '(what|which) <records> (does|has) {host} [have|got] [<at_it>]',
          '<look> [the] {host} <records>',
        ],
        de: ['[<look>] <records> (von|für) {host}', 'welche <records> hat {host}'],
      },
      plan: step('cloudflare.dns_list', { name: '{host}' }),
    },
    {
      says: {
        en: [
          '(is|are) [my|the] <tunnel> [still] <up>',
          '[<look>] [my|the] <tunnel> [status|state]',
          '(how is|how are) [my|the] <tunnel> [doing]',
        ],
        de: [
          '(läuft|laufen|steht|stehen) [mein|meine|der|die] (Cloudflare-Tunnel|Cloudflare Tunnel) [noch]',
          '<look> [meine|die] (Cloudflare-Tunnel|Cloudflare Tunnel)',
        ],
      },
      plan: step('cloudflare.tunnel_status', {}),
    },
    {
      says: {
        en: [
          'how often (was|is) [my|the] [Cloudflare] Worker {worker} (called|asked) [today]',
          '[<look>] [the] Cloudflare (analytics|usage|figures|metrics) (of|for) [my|the] [Worker] {worker}',
          '[<look>] [the] (analytics|usage|figures|metrics) (of|for) [my|the] [Cloudflare] Worker {worker} [<at_it>]',
        ],
        de: ['wie (viele Anfragen|oft) (hatte|wurde) [mein|der] [Cloudflare] Worker {worker} [aufgerufen]'],
      },
      plan: step('cloudflare.worker_usage', { worker: '{worker}' }),
    },
    {
      addressed: true,
      says: {
        en: [
          '(point|set|change|switch|move) [the|my] [DNS|DNS record|record|DNS entry] [of|for] {host} (to|at) {value}',
          '(point|set|change|switch|update) [the|my] {host} [DNS|record|DNS record] (to|at) {value} [<at_it>]',
          '(set|change|update) [the|my] (A|AAAA|CNAME) record (of|for) {host} to {value}',
        ],
        de: [
          '(ändere|setz|setze|stell|stelle) [den] [DNS-Eintrag|DNS Eintrag|DNS] [von|für] {host} auf {value}',
          '(leite|richte) {host} auf {value}',
        ],
      },
      plan: step('cloudflare.dns_update', { name: '{host}', to: '{value}' }),
    },
    ...MAKING,
  ],
}
