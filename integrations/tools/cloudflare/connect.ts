/**
 * Instructions for getting a Cloudflare token: pages and fields by their names there (L-12; written from Cloudflare’s public
 * documentation; not checked against its pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const CLOUDFLARE_CONNECT: ConnectSpec = Object.freeze({
  title: 'Cloudflare',
  where:
    'Make a token at https://dash.cloudflare.com/profile/api-tokens ("Create Custom Token") with the permissions that `pfar connect` lists, and give me that. The one that deploys the edge is another: this one needs less.',
  shape: '(?:cfut_)?[A-Za-z0-9_-]{40,80}',
  steps: [
    '1. https://dash.cloudflare.com/profile/api-tokens: "Create Token", "Create Custom Token", any name.',
    '2. "Permissions": Zone, Zone, Read; Zone, DNS, Edit (Read, if I shall change nothing); Zone, Workers Routes, Read; Account, Cloudflare Tunnel, Read; Account, Account Analytics, Read; Account, Workers Scripts, Read.',
    '3. "Zone Resources" and "Account Resources": those that I may see.',
    '4. "Continue to summary", "Create Token". It is shown once: paste it here.',
  ],
  says: 'show my cloudflare zones',
})
