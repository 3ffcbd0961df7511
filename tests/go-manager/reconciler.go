// What is done for a Greeting: a ConfigMap that it owns, its status, an Event, and a finalizer that removes the ConfigMap.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "go.operatorkit.test/config-map"

type reconciler struct {
	client.Client
	events events.EventRecorder
}

func (r *reconciler) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Greeting{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	greeting := &Greeting{}
	if err := r.Get(ctx, request.NamespacedName, greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: greeting.Name, Namespace: greeting.Namespace}}
	if !greeting.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, child); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		if controllerutil.RemoveFinalizer(greeting, finalizer) {
			return ctrl.Result{}, r.Update(ctx, greeting)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(greeting, finalizer) {
		if err := r.Update(ctx, greeting); err != nil {
			return ctrl.Result{}, err
		}
	}
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"text": greeting.Spec.Text}
		return controllerutil.SetControllerReference(greeting, child, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if done != controllerutil.OperationResultNone {
		r.events.Eventf(greeting, child, corev1.EventTypeNormal, "Written", "Write", "the ConfigMap is %s", done)
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Written", ObservedGeneration: greeting.Generation}
	if meta.SetStatusCondition(&greeting.Status.Conditions, ready) {
		return ctrl.Result{}, r.Status().Update(ctx, greeting)
	}
	return ctrl.Result{}, nil
}
