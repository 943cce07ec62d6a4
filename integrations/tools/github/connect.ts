/**
 * Instructions for getting a GitHub token: pages and fields by their names there (L-12; written from GitHub’s documentation as
 * known; not checked against its pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const GITHUB_CONNECT: ConnectSpec = Object.freeze({
  title: 'GitHub',
  where:
    'Make a fine-grained token at https://github.com/settings/personal-access-tokens/new (Metadata, Contents, Commit statuses and Actions: read; Issues and Pull requests: read and write) and give me that one; it begins with github_pat_.',
  shape: 'github_pat_[A-Za-z0-9_]{40,250}|gh[pou]_[A-Za-z0-9]{36,250}',
  steps: [
    '1. https://github.com/settings/personal-access-tokens/new: any name; an expiration that you like.',
    '2. "Resource owner": you, or the organisation whose repositories you mean. It may have to agree.',
    '3. "Repository access": "Only select repositories", and those that I may see.',
    '4. "Repository permissions": "Metadata", "Contents", "Commit statuses" and "Actions": Read-only. "Issues" and "Pull requests": Read and write; Read-only, if I shall not write.',
    '5. "Generate token". It begins with github_pat_ and is shown once: paste it here.',
    'GitHub gives notifications to classic tokens alone: for them make one at https://github.com/settings/tokens/new with "repo" and "notifications" instead. It sees all your repositories.',
  ],
  says: 'any pull requests waiting for me?',
})
