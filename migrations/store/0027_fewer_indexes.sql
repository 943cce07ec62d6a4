DROP INDEX `audit_task`;--> statement-breakpoint
DROP INDEX `model_usage_task`;