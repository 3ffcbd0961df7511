// The custom resource, as its Go type; the test applies its CRD.
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Greeting is an object that wants its text in a ConfigMap.
type Greeting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreetingSpec   `json:"spec"`
	Status            GreetingStatus `json:"status,omitempty"`
}

// GreetingSpec is what is wanted.
type GreetingSpec struct {
	Text string `json:"text"`
}

// GreetingStatus is what there is.
type GreetingStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// GreetingList is a list of them.
type GreetingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Greeting `json:"items"`
}

func addToScheme(scheme *runtime.Scheme) error {
	version := schema.GroupVersion{Group: "go.operatorkit.test", Version: "v1"}
	scheme.AddKnownTypes(version, &Greeting{}, &GreetingList{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}

// DeepCopyObject is what the cache hands out.
func (g *Greeting) DeepCopyObject() runtime.Object {
	copied := *g
	g.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = nil
	for i := range g.Status.Conditions {
		copied.Status.Conditions = append(copied.Status.Conditions, *g.Status.Conditions[i].DeepCopy())
	}
	return &copied
}

// DeepCopyObject is what the cache hands out.
func (l *GreetingList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = nil
	for i := range l.Items {
		copied.Items = append(copied.Items, *l.Items[i].DeepCopyObject().(*Greeting))
	}
	return &copied
}
