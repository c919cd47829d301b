"""Starts MiniStack with what its CloudFormation leaves out of our templates. It ends when its standard input does."""

import json
import os
import re
import signal
import sys
import threading

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb, eventbridge, lambda_svc, scheduler
from ministack.services.cloudformation import provisioners

HANDLERS = provisioners._RESOURCE_HANDLERS


def completed(resource_type, complete):
    """Lets `complete(physical id, properties)` follow the emulator's own handlers of a type."""
    own = HANDLERS[resource_type]

    def create(logical_id, properties, *rest):
        created = own["create"](logical_id, properties, *rest)
        complete(created[0], properties)
        return created

    def update(physical_id, old_properties, properties, *rest):
        updated = own["update"](physical_id, old_properties, properties, *rest)
        complete(updated[0], properties)
        return updated

    HANDLERS[resource_type] = {**own, "create": create, "update": update}


def call(operation, *arguments):
    """An operation of a service's own API."""
    status, _headers, body = operation(*arguments)
    if status >= 400:
        raise ValueError(body)


def complete_table(name, properties):
    """The emulator takes a global table for its keys and its billing alone."""
    [replica] = properties["Replicas"]
    protection = replica.get("DeletionProtectionEnabled", False)
    call(dynamodb._update_table, {"TableName": name, "DeletionProtectionEnabled": protection})
    if "SSESpecification" in properties:
        encryption = properties["SSESpecification"]
        specification = {"Enabled": encryption["SSEEnabled"], "SSEType": encryption.get("SSEType", "KMS")}
        call(dynamodb._update_table, {"TableName": name, "SSESpecification": specification})
    if "TimeToLiveSpecification" in properties:
        call(dynamodb._update_ttl, {"TableName": name, "TimeToLiveSpecification": properties["TimeToLiveSpecification"]})
    if "PointInTimeRecoverySpecification" in replica:
        recovery = replica["PointInTimeRecoverySpecification"]
        call(dynamodb._update_continuous_backups, {"TableName": name, "PointInTimeRecoverySpecification": recovery})


def complete_schedule(name, properties):
    """The emulator leaves out the time zone and the times of start and end."""
    call(scheduler._update_schedule, name, properties)


def pass_over(resource_type):
    """A type that the emulator has no service for: CloudFormation counts its resources, and nothing is there."""
    HANDLERS[resource_type] = {
        "create": lambda logical_id, _properties, stack_name: (f"{stack_name}-{logical_id}", {}),
        "update": lambda physical_id, *_: (physical_id, {}),
        "delete": lambda *_: None,
    }


def partition_keys(request):
    """The table and the partition key of each item that a DynamoDB request names."""
    for item in request.get("TransactItems", []):
        for part in item.values():
            yield from partition_keys(part)
    table = dynamodb._tables.get(request.get("TableName"))
    if table is None:
        return
    item = request.get("Key") or request.get("Item")
    if item is not None:
        [key] = item[table["pk_name"]].values()
        yield table["TableName"], key
    names = request.get("ExpressionAttributeNames", {})
    for name, value in re.findall(r"([#\w]+)\s*=\s*(:\w+)", request.get("KeyConditionExpression", "")):
        if names.get(name, name) == table["pk_name"]:
            [key] = request["ExpressionAttributeValues"][value].values()
            yield table["TableName"], key


def context_with_leading_keys(body, own=iam_actions.dynamodb_service_context):
    """The emulator's policies do not know `dynamodb:LeadingKeys`, which is a condition on each table's own items."""
    return {**own(body), "dynamodb:LeadingKeys": list(partition_keys(json.loads(body or b"{}")))}


def enforce_leading_keys(*arguments, resource_arn="*", service_context=None, own=iam_evaluator.enforce, **rest):
    context = dict(service_context or {})
    if "dynamodb:LeadingKeys" in context:
        table_name = resource_arn.split("table/")[-1]
        context["dynamodb:LeadingKeys"] = [key for table, key in context["dynamodb:LeadingKeys"] if table == table_name]
    return own(*arguments, resource_arn=resource_arn, service_context=context, **rest)


def invoke_asynchronously(arn, payload):
    """The emulator calls a rule's function once; on AWS it is tried again, and then becomes a dead letter."""
    function, configuration, _name = lambda_svc._get_func_record_for_ref(arn)
    record = lambda_svc._execution_record_for_config(function, configuration)
    lambda_svc.invoke_async_with_retry(record, json.loads(payload))


def pin_secure_origin(source_ip, _secure_transport):
    """All is HTTP here, which policies refuse."""
    iam_evaluator._request_origin.set((source_ip, True))


def end_with_parent():
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


completed("AWS::DynamoDB::GlobalTable", complete_table)
completed("AWS::Scheduler::Schedule", complete_schedule)
for passed_over in sys.argv[1:]:
    pass_over(passed_over)
eventbridge._dispatch_to_lambda = invoke_asynchronously
iam_actions.dynamodb_service_context = context_with_leading_keys
iam_evaluator.enforce = enforce_leading_keys
app.pin_request_origin = pin_secure_origin
# Nothing fires by itself: tests say when.
scheduler.start_scheduler = eventbridge.start_scheduler = lambda: None

threading.Thread(target=end_with_parent, daemon=True).start()
sys.argv[1:] = []
app.main()
