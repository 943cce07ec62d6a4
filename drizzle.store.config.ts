/** Where drizzle-kit finds the store schema and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './integrations/store/schema.ts',
    './integrations/store/job-schema.ts',
    './integrations/store/contact-schema.ts',
    './integrations/store/reminder-schema.ts',
    './integrations/store/shared-schema.ts',
  ],
  out: './migrations/store',
})
