ALTER TABLE `job_runs` ADD `page` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `job_runs` ADD `page_task` text;--> statement-breakpoint
ALTER TABLE `job_runs` ADD `page_code` text;--> statement-breakpoint
CREATE INDEX `job_runs_page` ON `job_runs` (`page_task`) WHERE page in ('running', 'asked');--> statement-breakpoint
ALTER TABLE `jobs` ADD `page` text;