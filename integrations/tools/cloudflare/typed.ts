/** More ways in which people type requests about Cloudflare, for the embedded planner. Data only. Called by phrases.ts. */

export const CLOUDFLARE_TYPED = {
  'cloudflare.zones': {
    en: [
      '[show|list] [me] [my] cloudflare (zones|domains)',
      '(which|what) (zones|domains) (do i have|are there) (at|on|in) cloudflare',
    ],
    de: ['(welche|zeig meine) (domains|zonen) [habe ich] (bei|auf) cloudflare'],
  },
  'cloudflare.tunnel_status': {
    en: [
      '(is|are) [my] cloudflare (tunnel|tunnels) (up|down|running|ok)',
      '[my] cloudflare (tunnel|tunnels) [status]',
    ],
    de: ['(läuft|steht) [mein] cloudflare tunnel', 'cloudflare tunnel status'],
  },
  'cloudflare.dns_create': {
    en: [
      '(add|create|make) [a|a new] dns record for {host} (to|with|pointing to) {value}',
      '(add|create) [a|an] (a|aaaa|cname) record (for|on) {host} (to|with) {value}',
      'new dns (record|entry) {host} {value}',
    ],
    de: ['(leg|lege) [einen] [neuen] dns eintrag [an] für {host} (auf|mit) {value} [an]'],
  },
  'cloudflare.dns_delete': {
    en: [
      '(delete|remove|drop|get rid of) [the|my] dns (record|entry) (of|for) {host}',
      '(delete|remove) {host} from [my] (dns|cloudflare)',
    ],
    de: ['(lösch|lösche|entferne) [den] dns eintrag (von|für) {host}'],
  },
} as const
