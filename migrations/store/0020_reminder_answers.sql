ALTER TABLE `reminders` ADD `occurrence` integer;--> statement-breakpoint
ALTER TABLE `reminders` ADD `answered` text;--> statement-breakpoint
ALTER TABLE `reminders` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `reminders` ADD `before` text;